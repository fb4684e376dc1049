import { describe, expect, it } from '@jest/globals';
import {
  type Block,
  getModalSource,
  type InputOf,
  type ModalView,
  type previewModal as previewing,
  type ReplyOf,
  type renderModal as rendering,
} from '@stanza/contracts';
import { handle, newId, systemClock } from '@stanza/runtime';
import { findViewRefusal } from '@stanza/sandbox/limits';
import { inProcessRpc, runInProcess } from '@stanza/test-kit/database';
import { runWhole } from '../runs/runs.ts';
import { contextOf, greeting, somebody } from '../testing/neighbours.ts';
import { checkViews } from './check-views.ts';
import { previewModal } from './preview-modal.ts';
import { renderModal } from './render-modal.ts';

const ask: Block = {
  type: 'input',
  id: 'why',
  label: { type: 'plain_text', text: 'Why, {{name}}?' },
  element: { type: 'plain_text_input', action_id: 'reason' },
};
const view = { title: 'Refund {{order.id}}', submit_label: 'Go', close_label: 'Back', blocks: [ask] };
const source: ReplyOf<typeof getModalSource> = {
  modal_name: 'Refund',
  version_id: newId(),
  version_number: 3,
  views: [view, { ...view, title: 'Sure?', blocks: greeting }],
  sample_data: { name: 'Ada', order: { id: 'A-1' } },
  placeholder_mapping: null,
};

const open = (more: Partial<typeof source> = {}) => {
  const by = somebody();
  const asked: InputOf<typeof getModalSource>[] = [];
  const template = handle(getModalSource, async ({ input }) => {
    asked.push(input);
    return { ...source, ...more };
  });
  const dependencies = { rpc: inProcessRpc([template]), run: runWhole, clock: systemClock };
  const modal_id = newId();
  const { organization_id, environment } = by;
  return {
    asked,
    modal_id,
    owner: { organization_id, environment },
    preview: (body: Partial<InputOf<typeof previewing>['body']> = {}) =>
      runInProcess(
        previewModal(dependencies),
        { params: { id: modal_id }, query: undefined, body: { step: 0, strict: false, ...body } },
        contextOf(by),
      ),
    render: (more: Partial<InputOf<typeof rendering>> = {}) =>
      runInProcess(
        renderModal(dependencies),
        { organization_id, environment, modal_id, step: 0, data: {}, ...more },
        contextOf(by),
      ),
  };
};

const accepted = (made: ModalView) => expect(findViewRefusal(made)).toBeUndefined();

describe('preview-modal', () => {
  it('answers the view that the platform opens, made from the sample data', async () => {
    const { preview, asked, modal_id, owner } = open();
    const shown = await preview();
    expect(shown).toEqual({
      success: true,
      modal: { id: modal_id, name: 'Refund' },
      version_id: source.version_id,
      version_number: 3,
      step: 0,
      step_count: 2,
      view: {
        type: 'modal',
        title: { type: 'plain_text', text: 'Refund A-1' },
        submit: { type: 'plain_text', text: 'Go' },
        close: { type: 'plain_text', text: 'Back' },
        blocks: [
          {
            type: 'input',
            block_id: 'why',
            label: { type: 'plain_text', text: 'Why, Ada?' },
            element: { type: 'plain_text_input', action_id: 'reason' },
          },
        ],
      },
      warnings: [],
      chat_truncation: { fields_truncated: 0 },
    });
    accepted(shown.view);
    expect(asked).toEqual([{ ...owner, modal_id, drafts: true }]);
  });

  it('uses the data, the version and the step of the request', async () => {
    const { preview, asked } = open();
    const version_id = newId();
    const shown = await preview({ version_id, step: 1, data: { name: 'Bob' } });
    expect(shown.view).toMatchObject({ title: { text: 'Sure?' }, blocks: [{ text: { text: 'Hello Bob' } }] });
    expect(asked).toMatchObject([{ version_id }]);
  });

  it('truncates texts and substitutes empty ones, so that the platform accepts it', async () => {
    const { preview } = open();
    const long = await preview({ data: { order: { id: 'x'.repeat(40) }, name: 'y'.repeat(3_000) } });
    expect(long.chat_truncation.fields_truncated).toBe(2);
    accepted(long.view);
    const empty = await preview({ data: {} });
    expect(empty.warnings).toEqual(expect.arrayContaining([expect.stringContaining('order.id')]));
    accepted(empty.view);
  });

  it('lists every missing value in strict mode', async () => {
    await expect(open().preview({ data: {}, strict: true })).rejects.toMatchObject({
      code: 'invalid_data',
      facts: { details: expect.stringMatching(/order\.id.*name/s) },
    });
  });

  it('refuses a step after the last', async () => {
    await expect(open().preview({ step: 2 })).rejects.toMatchObject({
      code: 'validation_failed',
      facts: { issues: [{ path: ['step'] }] },
    });
  });
});

describe('render-modal', () => {
  it('lists whom the view mentions by e-mail, and mentions those whom it is given', async () => {
    const mentioning = {
      ...view,
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text: '{{e | mention}}' } }],
    };
    const { render } = open({ views: [mentioning] });
    const data = { e: 'ada@example.com', order: { id: 'A-1' } };
    expect(await render({ data })).toMatchObject({ mentions: [data.e], warnings: [expect.anything()] });
    const shown = await render({ data, people: { [data.e]: 'U0ADA' } });
    expect(shown).toMatchObject({ view: { blocks: [{ text: { text: '<@U0ADA>' } }] }, warnings: [] });
    expect(shown).not.toHaveProperty('mentions');
  });

  it('makes a step of the active version, or of the version of the previous step', async () => {
    const { render, asked } = open();
    const data = { name: 'Ada', order: { id: 'A-2' } };
    const first = await render({ data });
    expect(first).toMatchObject({ modal_name: 'Refund', step: 0, step_count: 2, warnings: [] });
    expect(first.view.title.text).toBe('Refund A-2');
    await render({ data, step: 1, version_id: first.version_id });
    expect(asked).toMatchObject([{ drafts: false }, { drafts: false, version_id: first.version_id }]);
  });

  it('An opening refuses a view of which nothing is left', async () => {
    const hidden = { type: 'directive', directive: '#if', condition: { path: 'ok' }, children: greeting };
    const { render } = open({ views: [{ ...view, blocks: [hidden] }] });
    await expect(render()).rejects.toMatchObject({
      code: 'no_blocks_to_send',
      message: 'Every block of the modal is empty: there is nothing to open.',
    });
  });

  it('lets placeholders read the mapped paths', async () => {
    const { render } = open({ placeholder_mapping: { name: 'customer.names[1]' } });
    const { view } = await render({ data: { customer: { names: ['Bob', 'Ada'] }, order: { id: 'A-1' } } });
    expect(view.blocks).toMatchObject([{ label: { text: 'Why, Ada?' } }]);
  });
});

describe('check-views', () => {
  const check = (views: (typeof view)[], sample_data: Record<string, unknown> = {}) =>
    runInProcess(
      checkViews({ run: runWhole, clock: systemClock }),
      { views, sample_data, placeholder_mapping: null },
      contextOf(somebody()),
    );

  it('fills ids, and reports no problem for missing values', async () => {
    const { id: _, ...unnamed } = ask;
    const { views } = await check([{ ...view, blocks: [unnamed] }]);
    expect(views).toEqual([{ blocks: [{ ...unnamed, id: expect.stringMatching(/^blk_/) }], problems: [] }]);
  });

  it('lists every problem of each view with a pointer into it', async () => {
    const broken = { ...view, title: '{{a', blocks: [{ type: 'markdown', text: 'x' }, { type: 'headr' }] };
    const { views } = await check([view, broken]);
    expect(views.map((it) => it.problems.map(({ pointer }) => pointer))).toEqual([
      [],
      ['/title', '/blocks/0/type', '/blocks/1/type'],
    ]);
  });

  it('finds problems that appear only with data', async () => {
    const blocks = [{ type: 'directive', directive: '#each', path: 'rows', children: [{ type: 'divider' }] }];
    const rows = Array.from({ length: 101 }, () => 1);
    const { views } = await check([{ ...view, blocks }], { rows });
    expect(views[0]?.problems).toMatchObject([{ limit: 'view.blocks', max: 100, actual: 101 }]);
  });
});
