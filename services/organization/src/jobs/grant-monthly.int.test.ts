import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setOrganizationStatus } from '../operations/set-organization-status.ts';
import { setOrganizationTier } from '../operations/set-organization-tier.ts';
import { askedStatements } from '../testing/asked-statements.ts';
import { accountOf, auditOf, found, openWorld, runInternal, type World } from '../testing/world.ts';
import { grantMonthly } from './grant-monthly.ts';

const dayMs = 86_400_000;

describe('the monthly credits', () => {
  let world: World;
  let run: () => Promise<void>;

  beforeAll(async () => {
    world = await openWorld();
    run = grantMonthly(world);
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    await run();
  });

  /** Advances the clock to the first of the next month; months differ in length. */
  const nextMonth = () => {
    const now = world.clock.now();
    world.clock.pass(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) - now.getTime());
  };
  const grantsOf = async (organizationId: string) =>
    (await auditOf(world, organizationId)).filter((it) => it.action === 'credits.granted');

  it('are granted on the first of the next month, on top of the remaining credits', async () => {
    const { id } = await found(world, { tier: 'free', credits: 7 });
    await run();
    expect(await accountOf(world, id)).toMatchObject({ balance: 7 });
    nextMonth();
    await run();
    expect(await accountOf(world, id)).toMatchObject({ balance: 1_007, ledger: 1_007 });
    expect(await grantsOf(id)).toEqual([
      expect.objectContaining({
        actor_id: 'organization',
        changes: expect.objectContaining({ amount: 1_000, reason: expect.stringContaining('free') }),
      }),
    ]);
  });

  it('begin no transaction while none are due', async () => {
    await found(world, { tier: 'free', credits: 7 });
    const { database, asked } = askedStatements(world.database);
    await grantMonthly({ ...world, database })();
    expect(asked).toEqual(['monthly-grant-any-due']);
  });

  it('are granted once, however many replicas run concurrently and however often', async () => {
    const { id } = await found(world, { tier: 'pro', credits: 0 });
    nextMonth();
    await Promise.all([run(), run(), run()]);
    await run();
    expect(await accountOf(world, id)).toMatchObject({ balance: 50_000, ledger: 50_000 });
  });

  it('are granted once although the record of the grant was lost', async () => {
    const { id } = await found(world, { tier: 'free', credits: 0 });
    nextMonth();
    await run();
    await world.rows('update credit_accounts set next_grant_at = $2 where organization_id = $1', [
      id,
      new Date(Math.floor(world.clock.now().getTime() / dayMs) * dayMs),
    ]);
    await run();
    expect(await accountOf(world, id)).toMatchObject({ balance: 1_000, ledger: 1_000 });
  });

  it('are granted for past months in which no job ran', async () => {
    const { id } = await found(world, { tier: 'free', credits: 0 });
    nextMonth();
    nextMonth();
    world.clock.pass(3 * dayMs);
    await run();
    expect(await accountOf(world, id)).toMatchObject({ balance: 2_000, ledger: 2_000 });
  });

  it("are those of the organization's tier at that moment", async () => {
    const { id } = await found(world, { tier: 'free', credits: 0 });
    await runInternal(setOrganizationTier(world), { organization_id: id, tier: 'pro' });
    nextMonth();
    await run();
    expect(await accountOf(world, id)).toMatchObject({ balance: 50_000 });
  });

  it('lapse while the organization is suspended', async () => {
    const { id } = await found(world, { tier: 'free', credits: 0 });
    await runInternal(setOrganizationStatus(world), { organization_id: id, status: 'suspended' });
    nextMonth();
    await run();
    await runInternal(setOrganizationStatus(world), { organization_id: id, status: 'active' });
    await run();
    expect(await accountOf(world, id)).toMatchObject({ balance: 0 });
    nextMonth();
    await run();
    expect(await accountOf(world, id)).toMatchObject({ balance: 1_000 });
  });
});
