import { describe, expect, it } from '@jest/globals';
import { getCredits as getOperation } from '@stanza/contracts';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import { applyTiers } from '../store/accounts.ts';
import { accountOf, found, openWorld, run, runInternal } from '../testing/world.ts';
import { createOrganization } from './create-organization.ts';
import { getCredits } from './get-credits.ts';
import { grantCredits } from './grant-credits.ts';
import { listOrganizations } from './list-organizations.ts';

describe('credits', () => {
  const world = sharedByTests(openWorld);

  describe('create-organization', () => {
    const input = () => ({ name: `Made ${uuidv7()}`, owner_email: `Ada-${uuidv7()}@Example.com` });
    const create = (given: object) => runInternal(createOrganization(world()), given);

    it("opens the account with the tier's monthly credits as first ledger row", async () => {
      const { organization_id, created } = await create({ ...input(), tier: 'pro' });
      expect(created).toBe(true);
      const rows = await world().rows(
        'select kind, amount, reason from credit_log where organization_id = $1',
        [organization_id],
      );
      expect(rows).toEqual([{ kind: 'grant', amount: 50_000, reason: 'first grant' }]);
      expect(await accountOf(world(), organization_id)).toMatchObject({ balance: 50_000, ledger: 50_000 });
    });

    it('is idempotent by name and owner, also when called concurrently and with another spelling of the address', async () => {
      const given = input();
      const spellings = [given, { ...given, owner_email: given.owner_email.toUpperCase(), credits: 5 }];
      const answers = await Promise.all([...spellings, ...spellings].map(create));
      expect(new Set(answers.map((it) => `${it.organization_id} ${it.user_id}`)).size).toBe(1);
      expect(answers.filter((it) => it.created)).toHaveLength(1);
      const again = await create(given);
      expect(again).toEqual({ ...answers[0], created: false });
    });

    it('creates two organizations of one owner with different names', async () => {
      const given = input();
      const [one, two] = [await create(given), await create({ ...given, name: `${given.name} 2` })];
      expect(two.user_id).toBe(one.user_id);
      expect(two.organization_id).not.toBe(one.organization_id);
    });
  });

  describe('grant-credits', () => {
    const grant = (organization_id: string, amount: number, grant_id: string = uuidv7()) =>
      runInternal(grantCredits(world()), { organization_id, grant_id, amount, reason: 'test' });

    it('is given once, also when called twice concurrently', async () => {
      const { id } = await found(world(), { credits: 1 });
      const grantId = uuidv7();
      const answers = await Promise.all([grant(id, 10, grantId), grant(id, 10, grantId)]);
      expect(answers).toEqual([{ balance: 11 }, { balance: 11 }]);
      expect(await accountOf(world(), id)).toMatchObject({ balance: 11, ledger: 11 });
    });

    it('takes away no more than the available credits', async () => {
      const { id } = await found(world(), { credits: 10 });
      expect(await grant(id, -4)).toEqual({ balance: 6 });
      await expect(grant(id, -7)).rejects.toMatchObject({ code: 'insufficient_credits' });
      expect(await accountOf(world(), id)).toMatchObject({ balance: 6, ledger: 6 });
    });

    it('answers not_found for an unknown organization', async () => {
      await expect(grant(uuidv7(), 1)).rejects.toMatchObject({ code: 'organization_not_found' });
    });
  });

  describe('get-credits', () => {
    const get = async (caller: string, organization_id = caller) =>
      getOperation.reply.parse(
        await run(
          getCredits(world()),
          { params: { organization_id }, query: undefined, body: undefined },
          { organizationId: caller },
        ),
      );

    it('shows balance, spendable credits and overage', async () => {
      const { id } = await found(world(), { credits: 7, tier: 'pro' });
      expect(await get(id)).toEqual({
        organization_id: id,
        tier: 'pro',
        balance: 7,
        reserved: 0,
        available: 10_007,
        overage_limit: 10_000,
        updated_at: world().clock.now().toISOString(),
      });
    });

    it("answers another organization's id like an unknown one", async () => {
      const [one, two] = [await found(world()), await found(world())];
      await expect(get(one.id, two.id)).rejects.toMatchObject({ code: 'organization_not_found' });
      await expect(get(one.id, uuidv7())).rejects.toMatchObject({ code: 'organization_not_found' });
    });

    it('reports a missing account', async () => {
      await expect(get(uuidv7())).rejects.toMatchObject({ code: 'credits_not_found' });
    });
  });

  it('follow the configured tiers: a changed overage reaches every account of the tier', async () => {
    const { id } = await found(world(), { tier: 'enterprise' });
    await applyTiers(world().database, world().tiers);
    const tiers = { ...world().tiers, enterprise: { ...world().tiers.enterprise, overage: 3 } };
    expect(await applyTiers(world().database, tiers)).toBe(1);
    expect(await applyTiers(world().database, tiers)).toBe(0);
    const [account] = await world().rows('select overage from credit_accounts where organization_id = $1', [
      id,
    ]);
    expect(account).toEqual({ overage: 3 });
    await applyTiers(world().database, world().tiers);
  });

  it('are listed for operators, page by page', async () => {
    const { id } = await found(world(), { credits: 3 });
    const list = (limit: number, offset: number) =>
      runInternal(listOrganizations(world()), { limit, offset });
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
