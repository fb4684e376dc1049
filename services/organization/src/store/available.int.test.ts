import { describe, expect, it } from '@jest/globals';
import { cases } from '@stanza/test-kit/cases';
import { sharedByTests } from '@stanza/test-kit/shared';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { available as inTypeScript } from '../domain/funds.ts';
import { decide } from '../domain/reserving.ts';
import { found, openWorld } from '../testing/world.ts';
import { available as inSql } from './available.ts';
import { chargeBatch } from './charges.ts';

describe('the available credits', () => {
  const world = sharedByTests(openWorld);

  const amount = fc.integer({ min: -1_000_000, max: 1_000_000 });
  const anyFunds = fc.record({ balance: amount, reserved: fc.nat(1_000_000), overage: fc.nat(1_000_000) });

  it('are the same in SQL and in TypeScript', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyFunds, { minLength: 1, maxLength: 50 }), async (accounts) => {
        const rows = await world().rows<{ available: number }>(
          `select ${inSql} as available
           from json_to_recordset($1::json) as given (balance bigint, reserved bigint, overage bigint)`,
          [JSON.stringify(accounts)],
        );
        expect(rows.map((it) => it.available)).toEqual(accounts.map(inTypeScript));
      }),
      { numRuns: cases(20, 5) },
    );
  });

  it('are spent on charges as they are reserved for messages, overage included', async () => {
    const charges = fc.integer({ min: 1, max: 9 });
    await fc.assert(
      fc.asyncProperty(fc.nat(5), fc.constantFrom(0, 3), charges, async (credits, overage, count) => {
        const { id } = await found(world(), { credits });
        await world().rows('update credit_accounts set overage = $2 where organization_id = $1', [
          id,
          overage,
        ]);
        const asked = Array.from({ length: count }, () => ({
          environment: 'production' as const,
          operation_id: uuidv7(),
          template_id: uuidv7(),
          actor_id: 'key',
        }));
        const charged = await chargeBatch(world().database, id, asked, new Date());
        const wishes = asked.map((it) => ({
          ...it,
          organization_id: id,
          operation: 'send' as const,
          amount: 1,
        }));
        const funds = { balance: credits, reserved: 0, overage };
        const { outcomes } = decide(wishes, funds, new Map(), uuidv7);
        expect(charged.map((it) => (it.charged ? it.remaining_credits : it.code))).toEqual(
          outcomes.map((it) => (it.reserved ? it.remaining_credits : it.code)),
        );
      }),
      { numRuns: cases(20, 5) },
    );
  });
});
