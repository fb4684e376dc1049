import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Environment, getCredits as getOperation } from '@stanza/contracts';
import { waitUntil } from '@stanza/stack';
import { v7 as uuidv7 } from 'uuid';
import { reverseCharges } from '../jobs/reverse-charges.ts';
import { applyTiers, lockAccount } from '../store/accounts.ts';
import { chargeBatch } from '../store/charges.ts';
import { accountOf, found, openWorld, run, runInternal, type World } from '../testing/world.ts';
import { chargeCredits } from './charge-credits.ts';
import { confirmCharges } from './confirm-charges.ts';
import { createOrganization } from './create-organization.ts';
import { getCredits } from './get-credits.ts';
import { grantCredits } from './grant-credits.ts';
import { listOrganizations } from './list-organizations.ts';

describe('credits', () => {
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

  describe('create-organization', () => {
    const input = () => ({ name: `Made ${uuidv7()}`, owner_email: `Ada-${uuidv7()}@Example.com` });
    const create = (given: object) => runInternal(createOrganization(world), given);

    it("opens the account with the tier's monthly credits as first row of the ledger", async () => {
      const { organization_id, created } = await create({ ...input(), tier: 'pro' });
      expect(created).toBe(true);
      const rows = await world.rows(
        'select kind, amount, reason from credit_log where organization_id = $1',
        [organization_id],
      );
      expect(rows).toEqual([{ kind: 'grant', amount: 50_000, reason: 'first grant' }]);
      expect(await accountOf(world, organization_id)).toMatchObject({ balance: 50_000, ledger: 50_000 });
    });

    it('is once by name and owner, whoever comes first and however the address is spelled', async () => {
      const given = input();
      const spellings = [given, { ...given, owner_email: given.owner_email.toUpperCase(), credits: 5 }];
      const answers = await Promise.all([...spellings, ...spellings].map(create));
      expect(new Set(answers.map((it) => `${it.organization_id} ${it.user_id}`)).size).toBe(1);
      expect(answers.filter((it) => it.created)).toHaveLength(1);
      const again = await create(given);
      expect(again).toEqual({ ...answers[0], created: false });
    });

    it('makes two organizations of one owner with different names', async () => {
      const given = input();
      const [one, two] = [await create(given), await create({ ...given, name: `${given.name} 2` })];
      expect(two.user_id).toBe(one.user_id);
      expect(two.organization_id).not.toBe(one.organization_id);
    });
  });

  describe('charge-credits', () => {
    it('charges in order as long as there are credits, and says what is left after each', async () => {
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

    it('charges an operation once: repeats answer the first charge, in the same batch and later', async () => {
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

    it('spends the overage of the tier and not one credit more', async () => {
      const { id } = await found(world, { credits: 1, tier: 'pro' });
      await world.rows('update credit_accounts set overage = 1 where organization_id = $1', [id]);
      const outcomes = await chargeAll(id, [charge(), charge(), charge()]);
      expect(outcomes[1]).toMatchObject({ charged: true, remaining_credits: -1 });
      expect(outcomes[2]).toEqual({ charged: false, code: 'overage_limit_exceeded' });
    });

    it('knows no account of an unknown organization', async () => {
      expect(await chargeAll(uuidv7(), [charge(), charge()])).toEqual([
        { charged: false, code: 'credits_not_found' },
        { charged: false, code: 'credits_not_found' },
      ]);
    });

    it('lets exactly 50 of 200 concurrent charges through on a balance of 50', async () => {
      const { id } = await found(world, { credits: 50 });
      // Handlers of their own: nothing of one process coalesces what another does.
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

    it('takes over a charge that another replica makes while it waits for the account', async () => {
      const { id } = await found(world, { credits: 2 });
      const [twice, other] = [charge(), charge()];
      let waiting: ReturnType<typeof chargeAll> | undefined;
      const [first] = await world.database.transaction(async (tx) => {
        await lockAccount(tx, id);
        waiting = chargeAll(id, [twice, other]);
        expect(await waitUntil(isSomeoneWaiting, { timeoutMs: 5_000 })).toBe(true);
        return chargeBatch(tx, id, [twice], world.clock.now());
      });
      expect(await waiting).toEqual([
        first,
        expect.objectContaining({ charged: true, remaining_credits: 0 }),
      ]);
      expect(await accountOf(world, id)).toMatchObject({ balance: 0, ledger: 0 });
    });

    it('answers calls that went together each its own outcomes', async () => {
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
    it('is reversed once, 20 seconds after it was made, with a row of the ledger', async () => {
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

    it('is not charged again after its reversal', async () => {
      const { id } = await found(world, { credits: 5 });
      const one = charge();
      await chargeAll(id, [one]);
      world.clock.pass(20_000);
      await reverseCharges(world)();
      expect(await chargeAll(id, [one, charge()])).toEqual([
        { charged: false, code: 'credit_deduction_failed' },
        expect.objectContaining({ charged: true, remaining_credits: 4 }),
      ]);
      expect(await confirm(one.operation_id)).toEqual({ confirmed: 0 });
    });

    it('waits while confirmations cannot be written, and as long again afterwards', async () => {
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

  describe('grant-credits', () => {
    const grant = (organization_id: string, amount: number, grant_id: string = uuidv7()) =>
      runInternal(grantCredits(world), { organization_id, grant_id, amount, reason: 'test' });

    it('gives a grant once, also when it comes twice at once', async () => {
      const { id } = await found(world, { credits: 1 });
      const grantId = uuidv7();
      const answers = await Promise.all([grant(id, 10, grantId), grant(id, 10, grantId)]);
      expect(answers).toEqual([{ balance: 11 }, { balance: 11 }]);
      expect(await accountOf(world, id)).toMatchObject({ balance: 11, ledger: 11 });
    });

    it('takes away what is there and no more', async () => {
      const { id } = await found(world, { credits: 10 });
      expect(await grant(id, -4)).toEqual({ balance: 6 });
      await expect(grant(id, -7)).rejects.toMatchObject({ code: 'insufficient_credits' });
      expect(await accountOf(world, id)).toMatchObject({ balance: 6, ledger: 6 });
    });

    it('knows no unknown organization', async () => {
      await expect(grant(uuidv7(), 1)).rejects.toMatchObject({ code: 'organization_not_found' });
    });
  });

  describe('get-credits', () => {
    const get = async (caller: string, organization_id = caller) =>
      getOperation.reply.parse(
        await run(
          getCredits(world),
          { params: { organization_id }, query: undefined, body: undefined },
          { organizationId: caller },
        ),
      );

    it('shows balance, what can be spent, and the overage', async () => {
      const { id } = await found(world, { credits: 7, tier: 'pro' });
      expect(await get(id)).toEqual({
        organization_id: id,
        tier: 'pro',
        balance: 7,
        reserved: 0,
        available: 10_007,
        overage_limit: 10_000,
        updated_at: world.clock.now().toISOString(),
      });
    });

    it("answers for another organization's id as for an unknown one", async () => {
      const [one, two] = [await found(world), await found(world)];
      await expect(get(one.id, two.id)).rejects.toMatchObject({ code: 'organization_not_found' });
      await expect(get(one.id, uuidv7())).rejects.toMatchObject({ code: 'organization_not_found' });
    });

    it('says when there is no account', async () => {
      await expect(get(uuidv7())).rejects.toMatchObject({ code: 'credits_not_found' });
    });
  });

  it('follow the configured tiers: a changed overage reaches every account of the tier', async () => {
    const { id } = await found(world, { tier: 'enterprise' });
    await applyTiers(world.database, world.tiers);
    const tiers = { ...world.tiers, enterprise: { ...world.tiers.enterprise, overage: 3 } };
    expect(await applyTiers(world.database, tiers)).toBe(1);
    expect(await applyTiers(world.database, tiers)).toBe(0);
    const [account] = await world.rows('select overage from credit_accounts where organization_id = $1', [
      id,
    ]);
    expect(account).toEqual({ overage: 3 });
    await applyTiers(world.database, world.tiers);
  });

  it('are listed for operators, page by page', async () => {
    const { id } = await found(world, { credits: 3 });
    const list = (limit: number, offset: number) => runInternal(listOrganizations(world), { limit, offset });
    const all = await list(1_000, 0);
    expect(all.total).toBe(all.organizations.length);
    expect(all.organizations.find((it) => it.id === id)).toMatchObject({
      tier: 'free',
      status: 'active',
      balance: 3,
      reserved: 0,
    });
    const paged = [...(await list(2, 0)).organizations, ...(await list(1_000, 2)).organizations];
    expect(paged).toEqual(all.organizations);
    expect(await list(10, 100_000)).toEqual({ organizations: [], total: all.total });
  });
});
