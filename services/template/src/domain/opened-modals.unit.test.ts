import { describe, expect, it } from '@jest/globals';
import { openedModals } from './opened-modals.ts';

const one = '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f';
const other = '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e10';
const button = (...interaction: object[]) => ({
  type: 'button',
  text: { type: 'plain_text', text: 'Go' },
  interaction,
});

describe('the modals opened by a message', () => {
  it('are found in every interactive element, each once', () => {
    const blocks = [
      { type: 'actions', elements: [button({ type: 'open_modal', modal_id: one })] },
      {
        type: 'directive',
        directive: '#each',
        path: 'items',
        children: [
          {
            type: 'section',
            accessory: button({ type: 'open_modal', modal_id: other.toUpperCase() }),
          },
          { type: 'actions', elements: [button({ type: 'open_modal', modal_id: one })] },
        ],
      },
    ];
    expect(openedModals(blocks)).toEqual([one, other]);
  });

  it('are found in replacement blocks', () => {
    const later = [{ type: 'actions', elements: [button({ type: 'open_modal', modal_id: one })] }];
    const update = button({ type: 'update_message', strategy: 'replace_all', blocks: later });
    expect(openedModals([{ type: 'actions', elements: [update] }])).toEqual([one]);
  });

  it('are none where an element does something else, or names an invalid id', () => {
    const elements = [
      button({ type: 'call_destination', destination_id: one }),
      button({ type: 'open_modal', modal_id: '{{id}}' }),
      { type: 'button', interaction: 'open_modal' },
    ];
    expect(openedModals([{ type: 'actions', elements }])).toEqual([]);
  });
});
