import { describe, expect, it } from '@jest/globals';
import { newId } from '@stanza/runtime';
import { checkDraft } from './check-draft.ts';
import { runWhole } from './runs/runs.ts';

/** A loop over a path of some length that reads three hundred values of each item. */
const reading = (length: number) => {
  const texts = Array.from({ length: 3 }, (_, part) =>
    Array.from({ length: 100 }, (_text, at) => `{{item.value_${part}_${at}}}`).join(' '),
  );
  return [
    {
      type: 'directive',
      directive: '#each',
      path: 'p'.repeat(length),
      as: 'item',
      children: texts.map((text) => ({ type: 'section', text: { type: 'mrkdwn', text } })),
    },
    { type: 'divider' },
  ];
};

const check = (length: number) =>
  checkDraft({ blocks: reading(length), fallbackText: null, sampleData: {} }, runWhole, newId, 0);

describe('a draft whose loop goes over a long path', () => {
  it('a draft is refused when its paths, each written from the top of the data, take more than blocks may', async () => {
    expect(await check(2_000)).toMatchObject({
      requestFormat: {},
      result: { ok: false, problems: [{ pointer: '/blocks', rule: 'budget' }] },
    });
  });

  it('a draft whose paths take less is accepted', async () => {
    const { requestFormat, result } = await check(1_000);
    expect([Object.keys(requestFormat).length, result.ok]).toEqual([300, true]);
  });
});
