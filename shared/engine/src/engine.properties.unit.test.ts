import { describe, expect, it } from '@jest/globals';
import { findProblems, findTotalBreach, findViewRefusal } from '@stanza/sandbox/limits';
import { cases } from '@stanza/test-kit/cases';
import fc from 'fast-check';
import { limits, PartSpent, parseTemplate, parseView, requestFormat, runProgram, runView } from './index.ts';
import { hostileJson, hostileText, templateData } from './testing/arbitraries.ts';
import { attempt, now } from './testing/compile.ts';
import { nativeMessages } from './testing/native-messages.ts';
import { nativeBlocks, soundTemplate, soundView } from './testing/template-arbitraries.ts';

const runs = { numRuns: cases(1_000, 100) };
/** Limits whose breach is only a warning: the platform documents no figure for them. */
const isWarned = (breach: ReturnType<typeof findTotalBreach>): boolean =>
  breach === undefined || breach.error === 'msg_blocks_too_long';
const surfaces = fc.constantFrom('message' as const, 'view' as const);

describe('the engine', () => {
  it('never throws, whatever the template is', () => {
    fc.assert(
      fc.property(fc.array(hostileJson), hostileJson, surfaces, (blocks, data, surface) => {
        const parsed = parseTemplate(blocks, { surface, fallbackText: '{{a' });
        expect(parsed.ok).toBe(false);
        expect(parseView({ title: '{{a', submit_label: '{{b', blocks }).ok).toBe(false);
        attempt(blocks, Object(data), { surface });
      }),
      runs,
    );
  });

  it('never throws, whatever the data is', () => {
    fc.assert(
      fc.property(
        soundTemplate,
        fc.dictionary(fc.constantFrom('a', 'b', 'c', 'list'), hostileJson),
        (blocks, data) => {
          const result = attempt(blocks, data);
          if (!result.ok) expect(result.problems.length).toBeGreaterThan(0);
        },
      ),
      runs,
    );
  });

  it('never throws on a template with parts replaced by anything', () => {
    fc.assert(
      fc.property(soundTemplate, fc.nat(), hostileJson, (blocks, seed, replacement) => {
        let count = 0;
        const damaged: unknown = JSON.parse(JSON.stringify(blocks), (_, value) => {
          count += 1;
          return count % 17 === seed % 17 ? replacement : value;
        });
        attempt(Array.isArray(damaged) ? damaged : [damaged], { a: 1 });
      }),
      runs,
    );
  });

  it('makes the same of any part of its budgets that is enough', () => {
    fc.assert(
      fc.property(
        soundTemplate,
        templateData,
        fc.double({ min: 1e-4, max: 0.01, noNaN: true }),
        (blocks, data, part) => {
          try {
            expect(attempt(blocks, data, { part })).toEqual(attempt(blocks, data));
          } catch (error) {
            if (!(error instanceof PartSpent)) throw error;
          }
        },
      ),
      runs,
    );
  });

  it('keeps its output within every limit of the platform', () => {
    fc.assert(
      fc.property(soundTemplate, templateData, (blocks, data) => {
        const result = attempt(blocks, data);
        fc.pre(result.ok);
        if (!result.ok) return;
        expect(findProblems(result.blocks, 'message', '/blocks')).toEqual([]);
        expect(isWarned(findTotalBreach(result.blocks))).toBe(true);
        expect([...result.text].length).toBeLessThanOrEqual(limits['message.text'].max);
        expect(JSON.parse(JSON.stringify(result.blocks))).toEqual(result.blocks);
      }),
      runs,
    );
  });

  it('keeps its views within every limit of the platform', () => {
    fc.assert(
      fc.property(soundView, hostileText, templateData, (blocks, label, data) => {
        const parsed = parseView({ title: '{{a}}', submit_label: 'Send', close_label: '{{b}}', blocks });
        if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
        const result = runView(parsed.program, { ...data, a: label, b: label }, { now });
        fc.pre(result.ok && result.view.blocks.length > 0);
        if (result.ok) expect(findViewRefusal(result.view)).toBeUndefined();
      }),
      runs,
    );
  });

  it('leaves blocks as they are that the platform takes, of every type', () => {
    fc.assert(
      fc.property(nativeBlocks, (blocks) => {
        fc.pre(
          findProblems(blocks, 'message', '/blocks').length === 0 && findTotalBreach(blocks) === undefined,
        );
        expect(attempt(blocks)).toMatchObject({ ok: true, blocks, fieldsTruncated: 0 });
      }),
      runs,
    );
  });

  it('has the same output for the same input', () => {
    fc.assert(
      fc.property(soundTemplate, templateData, (blocks, data) => {
        const parsed = parseTemplate(blocks, { surface: 'message' });
        if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
        const [first, second] = [
          runProgram(parsed.program, data, { now }),
          runProgram(parsed.program, data, { now }),
        ];
        expect(second).toEqual(first);
        expect(attempt(JSON.parse(JSON.stringify(blocks)), data)).toEqual(first);
      }),
      runs,
    );
  });

  it('changes neither template nor data', () => {
    fc.assert(
      fc.property(soundTemplate, templateData, (blocks, data) => {
        const before = JSON.stringify([blocks, data]);
        attempt(blocks, data);
        expect(JSON.stringify([blocks, data])).toBe(before);
      }),
      runs,
    );
  });

  it('escapes every mark of the data in mrkdwn', () => {
    const places = fc.constantFrom(
      '{{a}}',
      'x {{a}} y',
      '*{{a}}*',
      '<{{a}}>',
      '<{{a}}|label>',
      '<{{b}}{{a}}>',
      '<https://e.com/{{a}}|label>',
      '<https://e.com|{{a}}>',
      '{{a | upper}}',
      '{{b | default:"x"}}{{a}}',
    );
    fc.assert(
      fc.property(places, hostileText, (text, a) => {
        const result = attempt([{ type: 'section', text: { type: 'mrkdwn', text } }], { a, b: '' });
        if (!result.ok) throw new Error(JSON.stringify(result.problems));
        const [made] = result.blocks;
        for (const given of [JSON.stringify(made ?? ''), result.text]) {
          expect(given).not.toMatch(/<[!@#]/);
          // The only marks are those that the template wrote.
          expect(given.split('<').length).toBeLessThanOrEqual(text.split('<').length);
          expect(given).not.toMatch(/&(?!amp;|lt;|gt;)/);
        }
      }),
      runs,
    );
  });

  it('cuts no mark in two, however long a value is and wherever it stands', () => {
    const marks = fc.constantFrom(
      '<https://e.com/{{a}}|x>',
      '<@{{a}}>',
      '<{{a}}>',
      '<#C1|{{a}}>',
      '{{u | link:"l"}}',
    );
    const filler = fc.constantFrom('{{a}}', ' word ', 'x'.repeat(700), '&amp; ', ':tada: ');
    const texts = fc.array(fc.oneof(marks, filler), { minLength: 1, maxLength: 12 }).map((it) => it.join(''));
    const values = fc.integer({ min: 0, max: 4_000 }).map((length) => 'v'.repeat(length));
    fc.assert(
      fc.property(texts, values, (text, a) => {
        const result = attempt([{ type: 'section', text: { type: 'mrkdwn', text } }], {
          a,
          u: `https://e.com/${a.slice(0, 900)}`,
        });
        if (!result.ok) throw new Error(JSON.stringify(result.problems));
        const made = JSON.stringify(result.blocks[0] ?? '');
        expect(made.split('<').length).toBe(made.split('>').length);
        expect(made).not.toMatch(/&(?!amp;|lt;|gt;)/);
      }),
      runs,
    );
  });

  it('gives every block an id of its own, and every element one of its own in its block', () => {
    const loop = (children: unknown[]) => ({
      type: 'directive',
      directive: '#each',
      path: 'list',
      as: 'item',
      children,
    });
    const button = (id: string) => ({
      type: 'button',
      action_id: id,
      text: { type: 'plain_text', text: 'x' },
    });
    const id = fc.constantFrom('x', 'x_0', 'x_1', 'x_0_0', 'y', '{{item}}', 'x_{{item}}');
    const items = fc.array(fc.constantFrom('x', '0', '1', 'y', 'x_0'), { maxLength: 6 });
    fc.assert(
      fc.property(
        fc.array(id, { maxLength: 4 }),
        fc.array(id, { maxLength: 3 }),
        items,
        (ids, inner, list) => {
          const outside = ids.map((one) => ({ type: 'divider', id: one.replace(/\{\{.*\}\}/, 'z') }));
          const rows = inner.map((one) => ({
            type: 'actions',
            id: one,
            elements: [loop([button('{{item}}'), button('x')]), button('x_0')],
          }));
          const result = attempt([...outside, loop(rows)], { list: list.slice(0, 4) });
          if (!result.ok) throw new Error(JSON.stringify(result.problems));
          expect(findProblems(result.blocks, 'message', '/blocks')).toEqual([]);
        },
      ),
      runs,
    );
  });

  it('leaves native messages as they are, whatever the data is', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.values(nativeMessages)), templateData, (message, data) => {
        expect(attempt(message, data)).toMatchObject({ ok: true, blocks: message, warnings: [] });
      }),
      runs,
    );
  });

  it('names in the request format every path that it warns of', () => {
    fc.assert(
      fc.property(soundTemplate, (blocks) => {
        const parsed = parseTemplate(blocks, { surface: 'message' });
        if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
        const result = runProgram(parsed.program, {}, { now });
        if (!result.ok) return;
        const known = Object.keys(requestFormat(parsed.program));
        for (const warning of result.warnings) {
          const path = /`([\w.[\]]+)` is missing/.exec(warning)?.[1];
          if (path !== undefined)
            expect(
              known.some((one) => one === path || one.startsWith(`${path}.`) || one.startsWith(`${path}[`)),
            ).toBe(true);
        }
      }),
      runs,
    );
  });
});
