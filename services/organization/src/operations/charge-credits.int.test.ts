import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Environment } from '@stanza/contracts';
import { waitUntil } from '@stanza/local';
import { limits } from '@stanza/test-kit/limits';
import { v7 as uuidv7 } from 'uuid';
import { reverseCharges } from '../jobs/reverse-charges.ts';
import { lockAccount } from '../store/accounts.ts';
import { chargeBatch } from '../store/charges.ts';
import { accountOf, found, openWorld, runInternal, type World } from '../testing/world.ts';
import { chargeCredits } from './charge-credits.ts';
import { confirmCharges } from './confirm-charges.ts';
import { confirmRememberedCharges } from './confirm-remembered-charges.ts';

describe('charges', () => {
  let world: World;

  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  const charge = (operation_id: string = uuidv7(), environment: Environment = 'production') => ({
    environment,
    operation_id,
    template_id: uuidv7(),
    actor_id: 'key',
  });
  const chargeAll = async (organizationId: string, charges: object[], by = world) => {
    const call = { organization_id: organizationId, charges };
    return (await runInternal(chargeCredits(by), call)).outcomes;
  };
  const confirm = (...operation_ids: string[]) => runInternal(confirmCharges(world), { operation_ids });

  const isSomeoneWaiting = async () => {
    const waiting = await world.rows(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return waiting.length > 0;
  };

  describe('charge-credits', () => {
    it('charges in order while credits remain, and reports the rest after each', async () => {
      const { id } = await found(world, { credits: 2 });
      const charges = [charge(), charge(undefined, 'preview'), charge()];
      const outcomes = await chargeAll(id, charges);
      expect(outcomes).toEqual([
        { charged: true, credit_log_id: expect.any(String), remaining_credits: 1 },
        { charged: true, credit_log_id: expect.any(String), remaining_credits: 0 },
        { charged: false, code: 'insufficient_credits' },
      ]);
      const rows = await world.rows(
        `select operation_id, amount, environment, template_id, actor_id
         from credit_log where organization_id = $1 and kind = 'charge' order by id`,
        [id],
      );
      expect(rows).toEqual(charges.slice(0, 2).map((it) => ({ ...it, amount: -1 })));
      expect(await accountOf(world, id)).toMatchObject({ balance: 0, ledger: 0 });
    });

    it('charges an operation once: repeats get the first charge, in the same batch and later', async () => {
      const { id } = await found(world, { credits: 10 });
      const [one, two] = [charge(), charge()];
      const [first, twin] = await chargeAll(id, [one, one]);
      expect(twin).toEqual(first);
      const [again, other] = await chargeAll(id, [one, two]);
      expect(again).toEqual({ ...first, remaining_credits: 9 });
      expect(other).toMatchObject({ charged: true, remaining_credits: 8 });
      expect(await accountOf(world, id)).toMatchObject({ balance: 8, ledger: 8 });
    });

    it('answers a repeat although the credits are used up', async () => {
      const { id } = await found(world, { credits: 1 });
      const one = charge();
      const [first] = await chargeAll(id, [one]);
      expect(await chargeAll(id, [charge(), one])).toEqual([
        { charged: false, code: 'insufficient_credits' },
        first,
      ]);
    });

    it('spends the overage of the tier and no more', async () => {
      const { id } = await found(world, { credits: 1, tier: 'pro' });
      await world.rows('update credit_accounts set overage = 1 where organization_id = $1', [id]);
      const outcomes = await chargeAll(id, [charge(), charge(), charge()]);
      expect(outcomes[1]).toMatchObject({ charged: true, remaining_credits: -1 });
      expect(outcomes[2]).toEqual({ charged: false, code: 'overage_limit_exceeded' });
    });

    it('reports an unknown organization as having no account', async () => {
      expect(await chargeAll(uuidv7(), [charge(), charge()])).toEqual([
        { charged: false, code: 'credits_not_found' },
        { charged: false, code: 'credits_not_found' },
      ]);
    });

    it('lets exactly 50 of 200 concurrent charges through on a balance of 50', async () => {
      const { id } = await found(world, { credits: 50 });
      // Separate handlers: coalescing in one process does not affect another.
      const outcomes = (
        await Promise.all(Array.from({ length: 200 }, () => chargeAll(id, [charge()])))
      ).flat();
      expect(outcomes.filter((it) => it.charged)).toHaveLength(50);
      expect(new Set(outcomes.map((it) => (it.charged ? '' : it.code)))).toEqual(
        new Set(['', 'insufficient_credits']),
      );
      expect(await accountOf(world, id)).toMatchObject({ balance: 0, ledger: 0 });
    });

    it('charges each operation once when replicas race with overlapping batches', async () => {
      const { id } = await found(world, { credits: 60 });
      const pool = Array.from({ length: 80 }, () => charge());
      const batches = Array.from({ length: 24 }, (_, index) =>
        Array.from({ length: 10 }, (_, place) => pool[(index * 7 + place * 3) % pool.length]).filter(
          (it) => it !== undefined,
        ),
      );
      const answers = await Promise.all(batches.map((batch) => chargeAll(id, batch)));
      const ids = new Map<string, Set<string>>();
      for (const [index, batch] of batches.entries()) {
        for (const [place, { operation_id }] of batch.entries()) {
          const outcome = answers[index]?.[place];
          if (!outcome?.charged) continue;
          ids.set(operation_id, (ids.get(operation_id) ?? new Set()).add(outcome.credit_log_id));
        }
      }
      expect([...ids.values()].every((it) => it.size === 1)).toBe(true);
      const used = new Set(batches.flat().map((it) => it.operation_id)).size;
      expect(ids.size).toBe(Math.min(60, used));
      expect(await accountOf(world, id)).toMatchObject({ balance: 60 - ids.size, ledger: 60 - ids.size });
    });

    it('adopts a charge that another replica makes while it waits for the account', async () => {
      const { id } = await found(world, { credits: 2 });
      const [twice, other] = [charge(), charge()];
      let waiting: ReturnType<typeof chargeAll> | undefined;
      const [first] = await world.database.transaction(async (tx) => {
        await lockAccount(tx, id);
        waiting = chargeAll(id, [twice, other]);
        expect(await waitUntil(isSomeoneWaiting, { timeoutMs: limits.conditionMs })).toBe(true);
        return chargeBatch(tx, id, [twice], world.clock.now());
      });
      expect(await waiting).toEqual([
        first,
        expect.objectContaining({ charged: true, remaining_credits: 0 }),
      ]);
      expect(await accountOf(world, id)).toMatchObject({ balance: 0, ledger: 0 });
    });

    it('answers each coalesced call with its own outcomes', async () => {
      const [one, two] = [await found(world), await found(world)];
      const handler = chargeCredits(world);
      const sizes = [3, 1, 2];
      const calls = sizes.flatMap((size) => [
        { organization_id: one.id, charges: Array.from({ length: size }, () => charge()) },
        { organization_id: two.id, charges: Array.from({ length: size }, () => charge()) },
      ]);
      const replies = await Promise.all(calls.map((call) => runInternal(handler, call)));
      for (const [index, call] of calls.entries()) {
        const logged = await world.rows<{ operation_id: string }>(
          'select operation_id from credit_log where id = any ($1) order by id',
          [replies[index]?.outcomes.map((it) => (it.charged ? it.credit_log_id : ''))],
        );
        expect(logged.map((row) => row.operation_id)).toEqual(call.charges.map((it) => it.operation_id));
      }
    });
  });

  describe('an unconfirmed charge', () => {
    it('is reversed once, 20 seconds after it was made, with a ledger row', async () => {
      const { id } = await found(world, { credits: 5 });
      const reverse = reverseCharges(world);
      const one = charge();
      await chargeAll(id, [one]);
      world.clock.pass(19_999);
      await reverse();
      expect(await accountOf(world, id)).toMatchObject({ balance: 4, ledger: 4 });
      world.clock.pass(1);
      await Promise.all([reverse(), reverse()]);
      await reverse();
      const rows = await world.rows(
        'select kind, amount, template_id, actor_id from credit_log where operation_id = $1 order by id',
        [one.operation_id],
      );
      const facts = { template_id: one.template_id, actor_id: 'key' };
      expect(rows).toEqual([
        { kind: 'charge', amount: -1, ...facts },
        { kind: 'reversal', amount: 1, ...facts },
      ]);
      expect(await accountOf(world, id)).toMatchObject({ balance: 5, ledger: 5 });
    });

    it('is final once confirmed, and a second confirmation changes nothing', async () => {
      const { id } = await found(world, { credits: 5 });
      const [one, two] = [charge(), charge()];
      await chargeAll(id, [one, two]);
      const unknown = uuidv7();
      expect(await confirm(two.operation_id, one.operation_id, unknown)).toEqual({ confirmed: 2 });
      expect(await confirm(one.operation_id)).toEqual({ confirmed: 0 });
      world.clock.pass(60_000);
      await reverseCharges(world)();
      expect(await accountOf(world, id)).toMatchObject({ balance: 3, ledger: 3 });
    });

    it('is charged again by a repeat after its reversal, and reversed again when that stays unconfirmed', async () => {
      const { id } = await found(world, { credits: 5 });
      const one = charge();
      const [first] = await chargeAll(id, [one]);
      const again = async () => {
        world.clock.pass(20_000);
        await reverseCharges(world)();
        expect(await accountOf(world, id)).toMatchObject({ balance: 5, ledger: 5 });
        return chargeAll(id, [one]);
      };
      const [second] = await again();
      expect(second).toMatchObject({ charged: true, remaining_credits: 4 });
      expect(second).not.toEqual(first);
      expect(await chargeAll(id, [one])).toEqual([second]);
      const [third] = await again();
      expect(await confirm(one.operation_id)).toEqual({ confirmed: 1 });
      world.clock.pass(60_000);
      await reverseCharges(world)();
      expect(await chargeAll(id, [one])).toEqual([third]);
      expect(await accountOf(world, id)).toMatchObject({ balance: 4, ledger: 4 });
    });

    it('is charged again once by racing repeats after its reversal', async () => {
      const { id } = await found(world, { credits: 5 });
      const one = charge();
      await chargeAll(id, [one]);
      world.clock.pass(20_000);
      await reverseCharges(world)();
      const answers = await Promise.all(Array.from({ length: 10 }, () => chargeAll(id, [one])));
      expect(new Set(answers.map(([it]) => it?.charged && it.credit_log_id)).size).toBe(1);
      expect(await accountOf(world, id)).toMatchObject({ balance: 4, ledger: 4 });
    });

    it('waits while confirmations cannot be written, and for the full time afterwards', async () => {
      const { id } = await found(world, { credits: 5 });
      const one = charge();
      await chargeAll(id, [one]);
      world.clock.pass(30_000);
      const away = {
        ...world,
        database: { ...world.database, query: () => Promise.reject(new Error('away')) },
      };
      await expect(runInternal(confirmCharges(away), { operation_ids: [one.operation_id] })).rejects.toThrow(
        'away',
      );
      await reverseCharges(world)();
      world.clock.pass(19_000);
      await reverseCharges(world)();
      expect(await confirm(one.operation_id)).toEqual({ confirmed: 1 });
    });

    it('is reversed together with those of other organizations, each to its own account', async () => {
      const organizations = await Promise.all([1, 2, 3].map(() => found(world, { credits: 10 })));
      for (const [index, { id }] of organizations.entries()) {
        await chargeAll(
          id,
          Array.from({ length: index + 1 }, () => charge()),
        );
      }
      world.clock.pass(20_000);
      await reverseCharges(world)();
      for (const { id } of organizations) {
        expect(await accountOf(world, id)).toMatchObject({ balance: 10, ledger: 10 });
      }
    });
  });

  describe('a charge whose answer is stored', () => {
    const remembered = (organization_id: string, ...operation_ids: string[]) =>
      runInternal(confirmRememberedCharges(world), {
        answers: operation_ids.map((operation_id) => ({ organization_id, operation_id })),
      });

    it('becomes final, and stays final on a repeat', async () => {
      const { id } = await found(world, { credits: 5 });
      const one = charge();
      await chargeAll(id, [one]);
      expect(await remembered(id, one.operation_id)).toEqual({ confirmed: 1, charged_again: 0, lost: 0 });
      expect(await remembered(id, one.operation_id)).toEqual({ confirmed: 0, charged_again: 0, lost: 0 });
      world.clock.pass(60_000);
      await reverseCharges(world)();
      expect(await accountOf(world, id)).toMatchObject({ balance: 4, ledger: 4 });
    });

    it('is charged again, once and for good, after an intermediate reversal', async () => {
      const { id } = await found(world, { credits: 5 });
      const [one, two] = [charge(), charge()];
      await chargeAll(id, [one, two]);
      world.clock.pass(20_000);
      await reverseCharges(world)();
      const both = [one.operation_id, two.operation_id];
      const told = await Promise.all(Array.from({ length: 5 }, () => remembered(id, ...both)));
      expect(told.reduce((sum, it) => sum + it.charged_again, 0)).toBe(2);
      world.clock.pass(60_000);
      await reverseCharges(world)();
      expect(await accountOf(world, id)).toMatchObject({ balance: 3, ledger: 3 });
    });

    it('costs the operator when the credits are spent by then; the balance is not overspent', async () => {
      const { id } = await found(world, { credits: 1 });
      const one = charge();
      await chargeAll(id, [one]);
      world.clock.pass(20_000);
      await reverseCharges(world)();
      await chargeAll(id, [charge()]);
      expect(await remembered(id, one.operation_id)).toEqual({ confirmed: 0, charged_again: 0, lost: 1 });
      expect(await accountOf(world, id)).toMatchObject({ balance: 0, ledger: 0 });
    });
  });
});
