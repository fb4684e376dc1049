import { describe, expect, it } from '@jest/globals';
import { evaluate } from './evaluate.ts';

const now = new Date('2026-11-28T12:00:00Z');

describe('a warning of the engine', () => {
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
