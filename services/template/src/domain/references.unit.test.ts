import { describe, expect, it } from '@jest/globals';
import { referencesIn, withReferences } from './references.ts';

const modal = '01938c2e-7b1a-7c3d-9e4f-00000000000a';
const destination = '01938c2e-7b1a-7c3d-9e4f-00000000000b';
const button = (interaction: unknown) => ({ type: 'button', action_id: 'go', interaction });
const openModal = (modal_id: unknown) => ({ type: 'open_modal', modal_id, data: { id: modal } });

describe('references', () => {
  it('are found wherever an interaction is, also in the blocks of an updated message', () => {
    const inner = {
      type: 'section',
      accessory: button([{ type: 'call_destination', destination_id: destination }]),
    };
    const update = { type: 'update_message', strategy: 'replace_all', blocks: [inner] };
    const blocks = [
      { type: 'directive', children: [{ type: 'actions', elements: [button([openModal(modal), update])] }] },
    ];
    const at = '/blocks/0/children/0/elements/0/interaction';
    expect(referencesIn(blocks)).toEqual([
      { kind: 'modal', id: modal, pointer: `${at}/0/modal_id` },
      {
        kind: 'destination',
        id: destination,
        pointer: `${at}/1/blocks/0/accessory/interaction/0/destination_id`,
      },
    ]);
  });

  it('are replaced where they are references, and nowhere else', () => {
    const blocks = [{ type: 'actions', text: modal, elements: [button([openModal(modal.toUpperCase())])] }];
    expect(withReferences(blocks, () => 'other')).toEqual([
      { type: 'actions', text: modal, elements: [button([openModal('other')])] },
    ]);
    expect(withReferences(blocks, ({ id }) => id)).toEqual([
      { type: 'actions', text: modal, elements: [button([openModal(modal)])] },
    ]);
  });

  it.each(['{{modal}}', 'survey', 7, undefined])('are no ids by value, like %j', (value) => {
    const blocks = [{ type: 'actions', elements: [button([openModal(value), 'x', { type: 'toString' }])] }];
    expect(referencesIn(blocks)).toEqual([]);
    expect(withReferences(blocks, () => 'other')).toEqual(blocks);
  });

  it('keep the keys of blocks, and their order', () => {
    const text = '[{"type":"section","__proto__":{"a":1},"b":2,"a":[{"z":null}]}]';
    expect(JSON.stringify(withReferences(JSON.parse(text), ({ id }) => id))).toBe(text);
  });
});
