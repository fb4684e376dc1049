import { describe, expect, it } from '@jest/globals';
import { cases } from '@stanza/test-kit/cases';
import { sharedByTests } from '@stanza/test-kit/shared';
import fc from 'fast-check';
import { CreditPlayer, creditActionOf, creditHistory } from '../testing/credit-history.ts';
import { accountOf, found, openWorld } from '../testing/world.ts';

describe('the ledger', () => {
  const world = sharedByTests(() => openWorld({ pool: 8 }));

  /** Number of operations that were charged, reversed or granted more than once. */
  const doneTwice = (organizationId: string) =>
    world().rows(
      `select operation_id from credit_log
       where organization_id = $1
       group by operation_id, item
       having count(*) filter (where kind = 'charge') - count(*) filter (where kind = 'reversal') not in (0, 1)
         or count(*) filter (where kind in ('grant', 'adjustment')) > 1`,
      [organizationId],
    );

  it('adds up to the balance after any history, is never overspent and keeps nothing reserved', async () => {
    await fc.assert(
      fc.asyncProperty(creditHistory, fc.nat(8), fc.constantFrom(0, 3), async (steps, credits, overage) => {
        const { id } = await found(world(), { credits });
        await world().rows('update credit_accounts set overage = $2 where organization_id = $1', [
          id,
          overage,
        ]);
        const player = new CreditPlayer(world(), id);
        for (const step of steps) {
          await player.play(step);
          const { balance, reserved, ledger, held } = await accountOf(world(), id);
          expect(balance).toBe(ledger);
          expect(reserved).toBe(held);
          expect(balance - reserved + overage).toBeGreaterThanOrEqual(0);
        }
        await player.finish();
        expect(await accountOf(world(), id)).toMatchObject({ reserved: 0, held: 0 });
        const [open] = await world().rows(
          'select count(*) as count from provisional_charges where organization_id = $1',
          [id],
        );
        expect(open).toEqual({ count: 0 });
        expect(await doneTwice(id)).toEqual([]);
      }),
      { numRuns: cases(60, 8), endOnFailure: true },
    );
  });

  it('adds up after a thousand concurrent operations of every kind', async () => {
    const { id } = await found(world(), { credits: 40 });
    const player = new CreditPlayer(world(), id, { compiles: 300, sends: 150, grants: 30 });
    const actions = fc.sample(creditActionOf({ compiles: 300, sends: 150, grants: 30 }), 1_000);
    await player.play(actions);
    const { balance, reserved, ledger, held } = await accountOf(world(), id);
    expect([balance, reserved]).toEqual([ledger, held]);
    expect(balance - reserved).toBeGreaterThanOrEqual(0);
    await player.finish();
    const after = await accountOf(world(), id);
    expect(after).toMatchObject({ balance: after.ledger, reserved: 0, held: 0 });
    expect(await doneTwice(id)).toEqual([]);
  });
});
