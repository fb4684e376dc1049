import { afterEach, describe, expect, it } from '@jest/globals';
import { until } from '@stanza/runtime/testing/wait';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import { ConfirmationWindow } from '../domain/confirmation-window.ts';
import { lockAccount } from '../store/accounts.ts';
import { chargeBatch, confirmOperations } from '../store/charges.ts';
import { accountOf, found, openWorld } from '../testing/world.ts';
import { nextReversal, reverseCharges } from './reverse-charges.ts';

describe('the reversal of unconfirmed charges', () => {
  const world = sharedByTests(openWorld);

  afterEach(() => world().rows('delete from provisional_charges returning 1'));

  /** Founds an organization with 1,000 credits, some of them charged and overdue once the clock has passed. */
  const charged = async (count = 1): Promise<{ id: string; operationIds: string[] }> => {
    const { id } = await found(world(), { credits: 1_000 });
    const charges = Array.from({ length: count }, () => ({
      environment: 'production' as const,
      operation_id: uuidv7(),
      template_id: uuidv7(),
      actor_id: 'key',
    }));
    await chargeBatch(world().database, id, charges, world().clock.now());
    return { id, operationIds: charges.map((it) => it.operation_id) };
  };
  const overdue = () => world().clock.pass(20_000);
  const reverse = () => reverseCharges(world())();
  /** The balance is the given number, and the ledger adds up to it. */
  const expectBalance = async (id: string, balance: number) =>
    expect(await accountOf(world(), id)).toMatchObject({ balance, ledger: balance });

  it('is due when the first charge has been provisional for 20 seconds', async () => {
    const next = nextReversal(world());
    expect(await next()).toBeUndefined();
    await charged();
    world().clock.pass(15_000);
    await charged();
    const dueInMs = (await next()) ?? Number.NaN;
    expect(dueInMs).toBeGreaterThan(4_000);
    expect(dueInMs).toBeLessThanOrEqual(5_000);
    world().clock.pass(5_000);
    expect(await next()).toBeLessThanOrEqual(0);
  });

  it('is due once late confirmations have had their time', async () => {
    const { clock } = world();
    await charged();
    overdue();
    const confirmationWindow = new ConfirmationWindow(clock.monotonic() - 19_000);
    const next = nextReversal({ ...world(), confirmationWindow });
    expect(await next()).toBe(1_000);
    clock.pass(1_000);
    expect(await next()).toBeLessThanOrEqual(0);
  });

  it('waits for an account that was passed over for five seconds, one organization at a time', async () => {
    const held = [await charged(2), await charged(2)];
    overdue();
    world().clock.pass(5_000);
    const reversal = reverseCharges(world());
    const waits = () =>
      world().rows(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
    const [locked, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const hold = world().database.transaction(async (tx) => {
      for (const { id } of held) await lockAccount(tx, id);
      locked.resolve();
      await free.promise;
    });
    await locked.promise;
    const reversed = reversal();
    await until(async () => (await waits()).length === 1);
    free.resolve();
    await hold;
    expect(await reversed).toBe(2);
    expect(await reversal()).toBe(2);
    for (const { id } of held) await expectBalance(id, 1_000);
  });

  it('passes over an account that somebody holds, and takes it once it is free', async () => {
    const [held, other] = [await charged(2), await charged(3)];
    overdue();
    await world().database.transaction(async (tx) => {
      await lockAccount(tx, held.id);
      expect(await reverse()).toBe(3);
      await expectBalance(other.id, 1_000);
      await expectBalance(held.id, 998);
    });
    expect(await reverse()).toBe(2);
    expect(await reverse()).toBe(0);
    await expectBalance(held.id, 1_000);
  });

  it('reaches others however many older charges a held account has', async () => {
    const held = await charged(600);
    world().clock.pass(1);
    const other = await charged();
    overdue();
    await world().database.transaction(async (tx) => {
      await lockAccount(tx, held.id);
      expect(await reverse()).toBe(1);
      await expectBalance(other.id, 1_000);
    });
    expect([await reverse(), await reverse()]).toEqual([500, 100]);
    await expectBalance(held.id, 1_000);
  });

  it('leaves a charge that is being confirmed, and reverses the others of its account', async () => {
    const { id, operationIds } = await charged(3);
    overdue();
    await world().database.transaction(async (tx) => {
      expect(await confirmOperations(tx, operationIds.slice(0, 1))).toBe(1);
      expect(await reverse()).toBe(2);
    });
    expect(await reverse()).toBe(0);
    await expectBalance(id, 999);
  });

  it('happens once where several replicas look at the same moment', async () => {
    const all = [await charged(4), await charged(4), await charged(4)];
    overdue();
    const [first = 0, ...others] = await Promise.all([reverse(), reverse(), reverse(), reverse()]);
    expect(others.reduce((sum, it) => sum + it, first) + (await reverse())).toBe(12);
    for (const { id } of all) await expectBalance(id, 1_000);
  });
});
