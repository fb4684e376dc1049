import { describe, expect, it } from '@jest/globals';
import { actionsOfElement, payloadOfActions, readMessageActions } from './message-actions.ts';

const open = { type: 'open_modal', modal_id: 'm' };
const payload = (actions: unknown, context: unknown, v = 1) => ({
  key: 'k',
  v,
  actions: JSON.stringify(actions),
  context: JSON.stringify(context),
});

describe('the actions of a message', () => {
  it('are found by the element, with what was kept for it', () => {
    const said = readMessageActions(
      payload(
        { go: [open], stop: [] },
        { values: { a: 1, b: 1 }, elements: { go_1: { of: 'go', values: { b: 2 } } } },
      ),
    );
    expect(actionsOfElement(said, 'go_1')).toEqual({ list: [open], kept: { a: 1, b: 2 } });
    expect(actionsOfElement(said, 'stop')).toEqual({ list: [], kept: { a: 1, b: 1 } });
    expect(actionsOfElement(said, 'toString')).toBeUndefined();
  });

  it('hold no facts of an earlier use', () => {
    const kept = { 'interaction.user.id': 'U1', 'interaction[0]': 1, interactions: 2 };
    const said = readMessageActions(payload({ go: [open] }, { values: kept }));
    expect(actionsOfElement(said, 'go')?.kept).toEqual({ interactions: 2 });
  });

  it.each([
    ['no payload', undefined],
    ['a key alone', { key: 'k' }],
    ['text that is no JSON', { v: 1, actions: '{', context: '{}' }],
    ['actions of another shape', payload({ go: 'open' }, {})],
    ['another version of the form', payload({ go: [open] }, {}, 2)],
  ])('are none in %s', (_, given) => {
    expect(readMessageActions(given).actions).toEqual({});
  });

  it('are read as they were written, and an empty list is not written', () => {
    const said = readMessageActions(payload({ go: [open] }, { values: { a: 1 } }));
    expect(readMessageActions(payloadOfActions(said))).toEqual(said);
    expect(payloadOfActions({ actions: {}, context: { values: { a: 1 } } })).toEqual({});
  });
});
