import { describe, expect, it } from '@jest/globals';
import { decide, reservationKey, type Wanted } from './reserving.ts';

const wish = (
  operation_id: string,
  amount: number,
  environment: Wanted['environment'] = 'production',
): Wanted => ({
  organization_id: 'o',
  environment,
  operation_id,
  operation: 'send',
  template_id: 't',
  actor_id: 'k',
  amount,
});

const numbered = () => {
  let next = 0;
  return () => {
    next += 1;
    return `r${next}`;
  };
};

const codes = (wishes: readonly Wanted[], funds: { balance: number; reserved?: number; overage?: number }) =>
  decide(wishes, { reserved: 0, overage: 0, ...funds }, new Map(), numbered()).outcomes.map((it) =>
    it.reserved ? it.remaining_credits : it.code,
  );

describe('requests for credits', () => {
  it('are decided in order: one that is too large does not block the next', () => {
    expect(codes([wish('a', 3), wish('b', 5), wish('c', 2)], { balance: 5 })).toEqual([
      2,
      'insufficient_credits',
      0,
    ]);
  });

  it('may use the overage to its end and no further', () => {
    expect(codes([wish('a', 4), wish('b', 1), wish('c', 1)], { balance: 3, overage: 2 })).toEqual([
      -1,
      -2,
      'overage_limit_exceeded',
    ]);
  });

  it('do not touch credits that are held already', () => {
    expect(codes([wish('a', 3)], { balance: 5, reserved: 3 })).toEqual(['insufficient_credits']);
  });

  it('get the first answer again, also within a group, and hold nothing twice', () => {
    const known = new Map([
      [reservationKey(wish('a', 9)), { reservation_id: 'first', remaining_credits: 7 }],
    ]);
    const funds = { balance: 2, reserved: 0, overage: 0 };
    const wishes = [wish('A', 9), wish('b', 1), wish('b', 1)];
    const { outcomes, added } = decide(wishes, funds, known, numbered());
    const b = { reservation_id: 'r1', remaining_credits: 1 };
    expect(outcomes).toEqual([
      { reserved: true, reservation_id: 'first', remaining_credits: 7 },
      { reserved: true, ...b },
      { reserved: true, ...b },
    ]);
    expect(added).toEqual([expect.objectContaining({ operation_id: 'b', amount: 1, ...b })]);
  });
});
