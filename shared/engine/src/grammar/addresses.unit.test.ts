import { describe, expect, it } from '@jest/globals';
import { blockSchema } from '../inspect/schema/block-schema.ts';
import { isList, isObject } from '../json.ts';
import { attempt, resolvePointer } from '../testing/compile.ts';
import { describeBlocks, replaceAt } from '../testing/described.ts';
import { nativeMessages, nativeView } from '../testing/native-messages.ts';
import { encodeAddress } from '../text/value-in-address.ts';
import { faultOfAddress } from './address.ts';
import { pressedAddress, secureAddress, webAddress } from './forms.ts';

const forms = [webAddress, secureAddress, pressedAddress];
const surfaces = [
  ...Object.values(nativeMessages).map((blocks) => ['message', blocks] as const),
  ['view', nativeView] as const,
];

/** Every address of the native messages, one for each key of each kind of object. */
const places = [
  ...new Map(
    surfaces.flatMap(([surface, blocks]) =>
      describeBlocks(blocks).flatMap(({ pointer, description, value }) => {
        const form = description.kind === 'exact' && forms.find(({ words }) => words === description.form);
        if (!form || typeof value !== 'string') return [];
        const holder = resolvePointer(blocks, pointer.slice(0, pointer.lastIndexOf('/')));
        const type = isObject(holder) ? String(holder.type ?? 'object') : 'object';
        const name = `${type} ${pointer.slice(pointer.lastIndexOf('/') + 1)} ${pointer.replaceAll(/\d+/g, 'n')}`;
        return [[name, { name, surface, blocks, pointer, form }] as const];
      }),
    ),
  ).values(),
];

type Place = (typeof places)[number];

const attemptWith = (
  { surface, blocks, pointer }: Place,
  address: string,
  data: Record<string, unknown> = {},
) => {
  const changed = replaceAt(blocks, pointer, address);
  return attempt(isList(changed) ? changed : [], data, { surface });
};

const good = [
  'https://e.com',
  'https://e.com/a?b=1&c=[2]#d',
  'https://user@e.com:8443/x',
  'https://10.0.0.1/',
  'https://intranet/',
  'https://münchen.example/ü',
  'https://e.com/%20?q={a:1}|^`',
  'HTTPS://E.COM',
];
const pressed = [
  ...['mailto:ada@example.com', 'tel:+4930123456', 'slack://open', 'slack://channel?team=T1&id=C1'],
  ...['zoommtg://zoom.us/join?confno=1', 'vscode://file/x', 'things:///add?title=x', 'msteams:/l/chat/0/0'],
  ...['mailto:?subject=x', 'onenote:https://e.com/x', 'matrix:u/ada:e.com', 'xmpp:ada@e.com?message'],
];
const bad = [
  ...[
    'e.com/x',
    '/x',
    '//e.com/x',
    'x',
    'https://',
    'https:///',
    'https:///x',
    'https:e.com',
    'https://e.com/a b',
  ],
  ...[
    'https://?x',
    'https://:80/',
    'https://.e.com/',
    'https://e..com/',
    'https://e.com:99999/',
    'https://%/',
  ],
  ...['javascript:alert(1)', 'JavaScript:alert(1)', 'vbscript:x', 'data:text/html,x', 'file:///etc/passwd'],
  ...['blob:https://e.com/1', 'localhost:3000/x', 'e.com:8080/x', 'mailto:', 'slack://', 'https://e.com/<x>'],
  ...['localhost:/x', 'c:/x', 'microsoft-edge:javascript:alert(1)', 'feed:data:text/html,x'],
  ...['https://e.com/\n', 'https://e.com/"x', 'https://e.com\\x', ' https://e.com'],
];

describe('every address of a message', () => {
  it('is found in the native messages, and no key named so is left out', () => {
    expect(places.length).toBeGreaterThan(25);
    const { block_types, elements, rich_text, table_cells } = blockSchema();
    const unformed: string[] = [];
    const walk = (value: unknown, path: string): void => {
      if (!isObject(value)) return;
      for (const [key, inner] of Object.entries(value)) {
        if (/url$/.test(key) && isObject(inner) && 'kind' in inner) {
          if (!forms.some(({ words }) => words === inner.form)) unformed.push(`${path}/${key}`);
        }
        walk(inner, `${path}/${key}`);
      }
    };
    walk({ block_types, elements, rich_text, table_cells }, '');
    expect(unformed.filter((path) => !/is_slack_url/.test(path))).toEqual([]);
  });

  it.each(places.map((place) => [place.name, place] as const))('takes what is one: %s', (_, place) => {
    const taken = place.form === pressedAddress ? [...good, 'http://e.com/', ...pressed] : good;
    for (const address of taken) {
      const result = attemptWith(place, address);
      expect([address, result.ok || result.problems]).toEqual([address, true]);
      expect(result.ok && resolvePointer(result.blocks, place.pointer)).toBe(address);
    }
  });

  it.each(places.map((place) => [place.name, place] as const))(
    'refuses what is none, written in the template: %s',
    (_, place) => {
      const refused = place.form === pressedAddress ? bad : [...bad, ...pressed, 'ftp://e.com/'];
      for (const address of place.form === secureAddress ? [...refused, 'http://e.com/'] : refused) {
        expect([address, attemptWith(place, address)]).toMatchObject([
          address,
          { ok: false, problems: [{ pointer: place.pointer, rule: 'value.form' }] },
        ]);
      }
    },
  );

  it.each(places.map((place) => [place.name, place] as const))(
    'refuses what data makes of it, and does not quote the data: %s',
    (_, place) => {
      for (const address of ['e.com/secret', 'https://', 'javascript:secret', 'https:///secret']) {
        const result = attemptWith(place, '{{order.link}}', { order: { link: address } });
        expect([address, result]).toMatchObject([
          address,
          { ok: false, code: 'invalid_data', problems: [{ pointer: place.pointer, rule: 'value.form' }] },
        ]);
        const [problem] = result.ok ? [] : result.problems;
        expect(problem?.message).toContain('`order.link`');
        expect(problem?.message).not.toContain('secret');
      }
    },
  );

  it.each(places.map((place) => [place.name, place] as const))(
    'counts as left out where it is broken because a value is missing: %s',
    (_, place) => {
      const result = attemptWith(place, 'https://{{host}}/x');
      expect(result).toMatchObject({ ok: true });
      if (!result.ok) return;
      expect(JSON.stringify(result.blocks)).not.toContain('https:///');
      expect(result.warnings.join()).toContain('`host` is missing');
    },
  );
});

describe('a value inside an address', () => {
  const button = (url: string) => [
    {
      type: 'actions',
      elements: [{ type: 'button', action_id: 'a', text: { type: 'plain_text', text: 'Open' }, url }],
    },
  ];
  const urlOf = (url: string, data: Record<string, unknown>): unknown => {
    const result = attempt(button(url), data);
    return result.ok ? resolvePointer(result.blocks, '/0/elements/0/url') : result.problems;
  };

  it.each([
    ['https://e.com/{{a}}', 'two words', 'https://e.com/two%20words'],
    ['https://e.com/{{a}}', 'a/b?c=d&e=f#g%20+', 'https://e.com/a/b?c=d&e=f#g%20+'],
    [
      'https://e.com/?q={{a}}',
      '{"k": "<v>"}|^`\\',
      'https://e.com/?q=%7B%22k%22:%20%22%3Cv%3E%22%7D%7C%5E%60%5C',
    ],
    ['https://e.com/?q={{a}}', 'line\nbreak', 'https://e.com/?q=line%0Abreak'],
    ['{{a}}', ' https://e.com/a b?c=%20\n', 'https://e.com/a%20b?c=%20'],
    ['mailto:x@e.com?subject={{a}}', 'Two words', 'mailto:x@e.com?subject=Two%20words'],
    ['https://{{a}}/x', 'e.com', 'https://e.com/x'],
    ['{{a}}/x', 'https://e.com', 'https://e.com/x'],
  ])('is percent-encoded where no address may hold it, and else stays: %s', (url, a, expected) => {
    expect(urlOf(url, { a })).toBe(expected);
  });

  it.each([
    ['https://{{a}}/x', 'two words'],
    ['https://{{a}}/x', ''],
    ['https://e.com:{{a}}/', 'http'],
    ['{{a}}', 'java\nscript:alert(1)'],
    ['{{a}}', 'Error: not found'],
  ])('makes no host, port or scheme of what is none: %s', (url, a) => {
    expect(urlOf(url, { a })).toMatchObject([{ rule: 'value.form' }]);
  });

  it.each([
    'e.com/{{a}}',
    '/{{a}}',
    'javascript:{{a}}',
    'https://e.com/a b/{{a}}',
    'https://e.com/{{a}} {{a}}',
  ])('mends no fault that the template writes, which is found before there is data: %s', (url) => {
    expect(urlOf(url, { a: 'x' })).toMatchObject([{ rule: 'value.form', pointer: '/0/elements/0/url' }]);
  });

  it('is looked at in a time that grows with its length', () => {
    const long = `https://${'a.'.repeat(20_000)}e.com/${' '.repeat(20_000)}`;
    expect(faultOfAddress(long, 'pressed')).toContain('space');
    expect(encodeAddress(long)).toHaveLength(`https://${'a.'.repeat(20_000)}e.com/`.length);
  });
});
