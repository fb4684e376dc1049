import { describe, expect, it } from '@jest/globals';
import { CodedError } from '@stanza/contracts';
import { actionsOfElement } from '../messages/message-actions.ts';
import { type Content, type ContentUpdate, updateContent } from './update-content.ts';

const button = (action_id: string) => ({
  type: 'actions',
  block_id: `of-${action_id}`,
  elements: [{ type: 'button', action_id }],
});
const section = (block_id?: string) => ({ type: 'section', ...(block_id !== undefined && { block_id }) });

const before: Content = {
  blocks: [section('top'), button('go_0'), button('stop')],
  text: 'before',
  actions: { go: [{ type: 'open_modal' }], stop: [{ type: 'open_modal' }] },
  context: { values: { a: 1 }, elements: { go_0: { of: 'go', values: { b: 2 } } } },
};

const added: Content = {
  blocks: [button('undo')],
  text: 'after',
  actions: { undo: [{ type: 'update_message' }] },
  context: { values: { c: 3 } },
};

let ids = 0;
const update = (changes: Partial<ContentUpdate>, of: Content = before): Content => {
  ids = 0;
  const newId = () => `new-${ids++}`;
  return updateContent(of, { strategy: 'append', blockId: undefined, added, ...changes }, newId);
};

const refusalOf = (changes: Partial<ContentUpdate>): unknown => {
  try {
    return update(changes);
  } catch (err) {
    return err instanceof CodedError ? err.code : err;
  }
};

const idsOf = ({ blocks }: Content): unknown[] => blocks.map(({ block_id }) => block_id);

describe('an update of what a message shows', () => {
  it('adds actions to those that are there', () => {
    const { actions, context, text } = update({});
    expect(Object.keys(actions)).toEqual(['go', 'stop', 'undo']);
    expect(context).toEqual({ values: { a: 1, c: 3 }, elements: before.context.elements });
    expect(text).toBe('before');
  });

  it('removes the actions of removed elements, by their ids in the template', () => {
    const { actions, context } = update({ strategy: 'replace_block', blockId: 'of-go_0' });
    expect(Object.keys(actions)).toEqual(['stop', 'undo']);
    expect(context.elements).toEqual({});
  });

  it('removes everything of a replaced message', () => {
    expect(update({ strategy: 'replace_all' })).toEqual({ ...added, context: { values: { c: 3 } } });
  });

  it('gives other ids to what it adds than to what stays, and each element keeps its own actions', () => {
    const [first, second] = [[{ type: 'open_modal' }], [{ type: 'call_destination' }]];
    const start: Content = { ...before, blocks: [button('go')], actions: { go: first }, context: {} };
    const appended = { ...added, blocks: [button('go')], actions: { go: second }, context: {} };
    const once = update({ added: appended }, start);
    const twice = update({ added: appended }, once);
    expect(twice.blocks).toEqual([
      button('go'),
      { ...button('go_1'), block_id: 'of-go_1' },
      { ...button('go_2'), block_id: 'of-go_2' },
    ]);
    const listOf = (id: string) => actionsOfElement(twice, id)?.list;
    expect(['go', 'go_1', 'go_2'].map(listOf)).toEqual([first, second, second]);
    expect(Object.values(twice.actions)).toEqual([first, second]);
  });

  it('runs nothing for an added element without actions that is named as a list of a loop', () => {
    const plain = { ...added, blocks: [button('go')], actions: {}, context: {} };
    const after = update({ added: plain });
    expect(idsOf(after)).toEqual(['top', 'of-go_0', 'of-stop', 'of-go']);
    expect(actionsOfElement(after, 'go_1')).toBeUndefined();
    expect(after.blocks.at(-1)).toMatchObject({ elements: [{ action_id: 'go_1' }] });
  });

  it('gives an id to blocks without one, so that the next update finds them', () => {
    const blocks = [section(), section('mine'), section('')];
    expect(idsOf(update({ added: { ...added, blocks } }))).toEqual([
      'top',
      'of-go_0',
      'of-stop',
      'new-0',
      'mine',
      'new-1',
    ]);
  });

  it('is refused when the block is gone, the message would be empty, or too large', () => {
    expect(refusalOf({ strategy: 'replace_block', blockId: 'gone' })).toBe('invalid_state');
    expect(refusalOf({ strategy: 'replace_self' })).toBe('invalid_state');
    const empty = { ...added, blocks: [] };
    expect(refusalOf({ strategy: 'replace_all', added: empty })).toBe('no_blocks_to_send');
    const many = { ...added, blocks: Array.from({ length: 48 }, () => section()) };
    expect(refusalOf({ added: many })).toBe('compilation_failed');
    const wordy = { ...added, context: { values: { c: 'ß'.repeat(1_900) } } };
    expect(refusalOf({ added: wordy })).toBe('compilation_failed');
  });
});
