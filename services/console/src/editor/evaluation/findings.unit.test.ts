import { describe, expect, it } from '@jest/globals';
import { evaluate } from './evaluate.ts';

const now = new Date('2026-11-28T12:00:00Z');

describe('a warning of the engine', () => {
  it.each([
    [
      'a block whose field is empty',
      { type: 'image', image_url: 'https://example.com/a.png', alt_text: '{{missing}}' },
      'The block “Image” is left out, because its “The picture in words” came out empty.',
    ],
    [
      'an element',
      { type: 'context', elements: [{ type: 'mrkdwn', text: '{{missing}}' }] },
      'The element “Formatted text” is left out, because its “Text” came out empty.',
    ],
    [
      'a block that needs one of several fields',
      { type: 'card', title: { type: 'plain_text', text: '{{missing}}' } },
      'The block “Card” is left out: it needs “Hero image” or “Title” or “Body” or “Actions”.',
    ],
  ])('calls what is left out by the names of the editor: %s', (_, block, sentence) => {
    const { findings } = evaluate({ blocks: [block], data: {} }, now);
    expect(findings.map(({ message }) => message)).toContain(sentence);
  });

  it.each([
    ['modal', { type: 'open_modal', modal_id: '' }],
    ['destination', { type: 'call_destination', destination_id: '' }],
  ])('asks people to choose a %s, whose id they never see', (what, action) => {
    const button = { type: 'button', text: { type: 'plain_text', text: 'Go' }, interaction: [action] };
    const { findings } = evaluate({ blocks: [{ type: 'actions', elements: [button] }], data: {} }, now);
    expect(findings.map(({ message }) => message)).toContain(
      `No ${what} is chosen here yet, so the element does nothing.`,
    );
    expect(findings.map(({ pointer }) => pointer)).toContainEqual(
      expect.stringMatching(/^\/blocks\/0\/elements\/0\/interaction/),
    );
  });
});
