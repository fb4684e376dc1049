import { describe, expect, it } from '@jest/globals';
import { type Block, CodedError, checkReferences, type InputOf, type Problem } from '@stanza/contracts';
import { handle, newContext, RpcFailure, systemClock } from '@stanza/runtime';
import { inProcessRpc, runInProcess } from '@stanza/test-kit/database';
import { runWhole } from '../runs/runs.ts';
import { contextOf, greeting, somebody } from '../testing/neighbours.ts';
import { checkBlocks } from './check-blocks.ts';
import { getBlockSchema } from './get-block-schema.ts';
import { validateTemplate } from './validate-template.ts';

const dependencies = { clock: systemClock, run: runWhole };
const context = () => newContext({ deadlineMs: 5_000 });
const check = (
  blocks: Block[],
  sample_data: Record<string, unknown> = {},
  fallback_text: string | null = null,
) =>
  runInProcess(
    checkBlocks(dependencies),
    { blocks, sample_data, fallback_text, locale: null, timezone: null },
    context(),
  );

type Lookup = (input: InputOf<typeof checkReferences>) => Problem[];

const me = somebody();
const validate = (
  blocks: Block[],
  sample_data?: Record<string, unknown>,
  lookUp: Lookup = () => [],
  locale?: string,
) => {
  const rpc = inProcessRpc([handle(checkReferences, async ({ input }) => ({ problems: lookUp(input) }))]);
  return runInProcess(
    validateTemplate({ ...dependencies, rpc }),
    { params: undefined, query: undefined, body: { blocks, sample_data, locale } },
    contextOf(me),
  );
};

const texts = (translations: object): Block[] => [
  { type: 'section', id: 'a', text: { type: 'mrkdwn', text: '{{@t.a}}' } },
  { type: 'directive', id: 'texts', directive: '#translations', translations },
];

describe('texts in languages', () => {
  it('of a draft are compared between languages, and problems point into {blocks}', async () => {
    const { problems } = await check(
      texts({ en: { a: '{{n}}' }, de: { a: '{{m}} {{n | nix}}' }, fr: { a: '{{m}}' } }),
    );
    expect(problems).toMatchObject([
      { rule: 'filter.unknown', pointer: '/blocks/1/translations/de/a' },
      { rule: 'translations.placeholder', pointer: '/blocks/1/translations/fr/a' },
    ]);
  });

  it('are reported once where a text that the blocks read is wrong', async () => {
    const { problems } = await check(texts({ en: { a: '{{n | nix}}' } }));
    expect(problems).toMatchObject([{ rule: 'filter.unknown', pointer: '/blocks/1/translations/en/a' }]);
  });

  it('get a warning for each language that lacks a text of the template’s own language', async () => {
    const blocks = texts({ en: { a: 'x' }, de: { b: 'y' } });
    expect((await validate(blocks)).warnings).toEqual([
      '/blocks/1/translations/de: these texts are missing: `a`; those of `en` stand in.',
      '/blocks/1: no block reads these texts: `b`.',
    ]);
    const less = texts({ en: { a: 'x' }, de: { a: '{{n}}' } });
    expect((await validate(less)).errors).toMatchObject([{ rule: 'translations.placeholder' }]);
    const german = await validate(less, undefined, undefined, 'de');
    expect(german).toMatchObject({ valid: true, request_format: { n: null } });
    const { valid, errors } = await validate(blocks, undefined, undefined, 'de-DE');
    expect([valid, errors]).toMatchObject([false, [{ rule: 'translations.missing' }]]);
  });
});

const broken: Block[] = [
  { type: 'sektion', text: { type: 'mrkdwn', text: 'x' } },
  { type: 'section', text: { type: 'mrkdwn', text: '{{name | shout}}' } },
];
const withoutIds: Block[] = [
  { type: 'actions', elements: [{ type: 'button', text: { type: 'plain_text', text: 'Go' } }] },
];

describe('validate, of blocks of which one has a problem', () => {
  it('answers the fields that the other blocks read', async () => {
    const sound: Block[] = [
      { type: 'section', text: { type: 'mrkdwn', text: '{{order.id}} for {{user.name | upper}}' } },
      {
        type: 'directive',
        directive: '#each',
        path: 'items',
        children: [{ type: 'header', text: { type: 'plain_text', text: '{{this.name}}' } }],
      },
    ];
    const whole = await validate(sound);
    expect(whole.request_format).toEqual({ 'order.id': null, 'user.name': null, 'items[].name': null });
    const partly = await validate([broken[0] ?? { type: 'x' }, ...sound, broken[1] ?? { type: 'x' }]);
    expect(partly).toMatchObject({ valid: false, request_format: whole.request_format });
    expect(partly.errors).toHaveLength(2);
  });
});

describe('validate, of blocks that name modals and destinations', () => {
  const id = '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f';
  const button = { type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'Go' } };
  const naming: Block[] = [
    {
      type: 'actions',
      elements: [{ ...button, interaction: [{ type: 'open_modal', modal_id: id }] }],
    },
  ];
  const pointer = '/blocks/0/elements/0/interaction/0/modal_id';
  const unknown = { pointer, rule: 'reference.unknown', message: 'There is no modal of this id.' };

  it('answers those that the environment does not have as problems', async () => {
    const asked: InputOf<typeof checkReferences>[] = [];
    const checked = await validate(naming, {}, (input) => {
      asked.push(input);
      return [unknown];
    });
    expect(checked).toMatchObject({ valid: false, errors: [unknown] });
    expect(checked.output).toBeUndefined();
    expect(asked).toEqual([
      { organization_id: me.organization_id, environment: me.environment, blocks: naming },
    ]);
  });

  it('answers them beside the other problems', async () => {
    const { errors } = await validate([...naming, ...broken], {}, () => [unknown]);
    expect(errors?.map(({ rule }) => rule)).toEqual(['type.unknown', 'filter.unknown', 'reference.unknown']);
  });

  it.each([
    new CodedError('service_unavailable'),
    new RpcFailure('no_responders', 'rpc.template.check-references', false),
  ])('is valid with a warning where they cannot be looked up now: %s', async (error) => {
    const checked = await validate(naming, {}, () => {
      throw error;
    });
    expect(checked).toMatchObject({ valid: true, warnings: [expect.stringContaining('looked up')] });
  });

  it('looks nothing up for blocks without an interaction', async () => {
    const checked = await validate(greeting, { name: 'Ada' }, () => {
      throw new Error('was asked');
    });
    expect(checked).toMatchObject({ valid: true, warnings: [] });
  });
});

describe('check-blocks', () => {
  it('answers the blocks with their ids, the paths they read, and no problem', async () => {
    const checked = await check([...greeting, ...withoutIds]);
    expect(checked).toMatchObject({
      blocks: [
        greeting[0],
        {
          id: expect.stringMatching(/^blk_[0-9a-f-]{36}$/),
          elements: [{ action_id: expect.stringMatching(/^act_[0-9a-f-]{36}$/) }],
        },
      ],
      request_format: { name: null },
      problems: [],
    });
  });

  it('only warns of values missing in the sample data', async () => {
    expect(await check(greeting)).toMatchObject({
      problems: [],
      warnings: [expect.stringContaining('name')],
    });
    expect(await check(greeting, { name: 'Ada' })).toMatchObject({ problems: [], warnings: [] });
  });

  it('lists every problem with a pointer into the blocks and the fallback text', async () => {
    const checked = await check(broken);
    expect(checked.problems.map((it) => it.pointer)).toEqual([
      expect.stringMatching(/^\/blocks\/0/),
      expect.stringMatching(/^\/blocks\/1\/text\/text/),
    ]);
  });

  it('checks the fallback text with the blocks', async () => {
    const checked = await check(greeting, {}, 'Hello {{name | shout}}');
    expect(checked.problems).toMatchObject([{ pointer: '/fallback_text', rule: 'filter.unknown' }]);
  });

  it('finds problems that appear only with data', async () => {
    const loop = [{ type: 'directive', directive: '#each', path: 'items', children: [{ type: 'divider' }] }];
    const checked = await check(loop, { items: Array.from({ length: 60 }, () => 1) });
    expect(checked.problems).toMatchObject([
      { pointer: '/blocks', limit: 'message.blocks', max: 50, actual: 60 },
    ]);
  });
});

describe('validate-template', () => {
  it('answers the blocks as they would be stored, the paths they read, and the message', async () => {
    expect(await validate(greeting, { name: 'Ada' })).toMatchObject({
      valid: true,
      blocks: greeting,
      request_format: { name: null },
      output: {
        blocks: [{ type: 'section', block_id: 'hello', text: { text: 'Hello Ada' } }],
        text: expect.stringContaining('Hello Ada'),
        chat_truncation: { fields_truncated: 0 },
      },
      warnings: [],
    });
  });

  it('answers every problem instead of a message', async () => {
    const checked = await validate(broken);
    expect(checked.valid).toBe(false);
    expect(checked.output).toBeUndefined();
    expect(checked.errors?.map((it) => it.pointer)).toEqual(
      (await check(broken)).problems.map((it) => it.pointer),
    );
    expect(checked.blocks).toHaveLength(2);
  });

  it('is compiled without sample data like with an empty object', async () => {
    const checked = await validate(greeting);
    expect(checked).toMatchObject({ valid: true, warnings: [expect.stringContaining('name')] });
  });
});

describe('get-block-schema', () => {
  it('answers types, directives, operators, filters, placeholders and limits', async () => {
    const input = { params: undefined, query: undefined, body: undefined };
    const schema = await runInProcess(getBlockSchema(), input, context());
    expect(JSON.stringify(schema)).toContain('rich_text');
    expect(schema.interactivity.limits).toBeDefined();
  });
});
