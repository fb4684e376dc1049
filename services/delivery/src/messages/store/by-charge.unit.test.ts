import { describe, expect, it, jest } from '@jest/globals';
import { firstIdOf } from '@stanza/runtime';
import { v7 as uuidv7 } from 'uuid';
import { idsBeforeCharge } from './by-charge.ts';

describe('the ids among which the message of a charge is', () => {
  it('hold that of the message, however many are made in a millisecond', () => {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-26T08:00:00.000Z'));
    const made = Array.from({ length: 20_000 }, () => ({ id: uuidv7(), creditLogId: uuidv7() }));
    clock.mockRestore();
    const missed = made.filter(({ id, creditLogId }) => {
      const { from, below } = idsBeforeCharge(creditLogId);
      return !(from <= id && id < below);
    });
    expect(missed).toEqual([]);
  });

  it('are those of a second, and end with the charge, in whatever letters it is written', () => {
    const charge = firstIdOf(new Date('2026-11-26T08:00:00.000Z'));
    expect(idsBeforeCharge(charge.toUpperCase())).toEqual({
      from: firstIdOf(new Date('2026-11-26T07:59:59.000Z')),
      below: charge,
    });
  });

  it.each(['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-4fff-bfff-ffffffffffff'])(
    'are some for an id that no charge has: %s',
    (id) => {
      expect(idsBeforeCharge(id).below).toBe(id);
    },
  );
});
