import { describe, expect, it } from '@jest/globals';
import { choicesOf } from './targets.ts';

const names = { channels: [{ id: 'C1', name: 'deploys' }], people: [] };

describe('the choices of a test send', () => {
  it('are what an admin has listed, then oneself', () => {
    const choices = choicesOf([{ channel_id: 'C1', description: 'Rehearsals' }], 'ada@example.com', names);
    expect(choices).toEqual([
      { id: 'channel_id:C1', label: 'Rehearsals (#deploys)', destination: { channel_id: 'C1' } },
      {
        id: 'recipient_email:ada@example.com',
        label: 'Me (ada@example.com)',
        destination: { recipient_email: 'ada@example.com' },
      },
    ]);
  });

  it('name oneself once, and not for a key', () => {
    expect(choicesOf([{ recipient_email: 'ada@example.com' }], 'ada@example.com', names)).toHaveLength(1);
    expect(choicesOf([], null, names)).toEqual([]);
  });
});
