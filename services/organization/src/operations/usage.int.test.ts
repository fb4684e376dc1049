import { describe, expect, it } from '@jest/globals';
import {
  CodedError,
  getUsageLimits as getLimitsOperation,
  getUsage as getUsageOperation,
  listCreditLog as listOperation,
  type UsageGrouping,
} from '@stanza/contracts';
import { RpcFailure } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { walked } from '@stanza/test-kit/walked';
import { v7 as uuidv7 } from 'uuid';
import { reverseCharges } from '../jobs/reverse-charges.ts';
import { found, openWorld, run, runInternal } from '../testing/world.ts';
import { chargeCredits } from './charge-credits.ts';
import { confirmCharges } from './confirm-charges.ts';
import { getUsage } from './get-usage.ts';
import { getUsageLimits } from './get-usage-limits.ts';
import { listCreditLog } from './list-credit-log.ts';
import { reserveCredits } from './reserve-credits.ts';
import { settleReservation } from './settle-reservation.ts';
import { showCreditLog } from './show-credit-log.ts';

const dayMs = 86_400_000;
const [templateA, templateB] = [uuidv7(), uuidv7()];

describe('use', () => {
  const world = sharedByTests(openWorld);

  const compile = async (organization_id: string, template_id: string, actor_id: string) => {
    const operation_id = uuidv7();
    const charge = { environment: 'production', operation_id, template_id, actor_id };
    await runInternal(chargeCredits(world()), { organization_id, charges: [charge] });
    return operation_id;
  };
  const confirm = (...operation_ids: string[]) => runInternal(confirmCharges(world()), { operation_ids });

  /** Reserves three messages and charges two of them. */
  const send = async (organization_id: string, operation: string | undefined, actor_id: string) => {
    const operation_id = uuidv7();
    const whose = { organization_id, environment: 'preview', operation_id };
    const wish = { ...whose, operation, template_id: templateB, actor_id, amount: 3 };
    await runInternal(reserveCredits(world()), wish);
    const items = [true, true, false].map((charged, item) => ({
      item,
      charged,
      credit_log_id: uuidv7(),
      message_id: uuidv7(),
    }));
    await runInternal(settleReservation(world()), { ...whose, items });
  };

  /** Two compiles, one of them reversed, and five messages of a batch and of bulk, over two days. */
  const busy = async () => {
    const { id } = await found(world(), { tier: 'pro', credits: 100 });
    await confirm(await compile(id, templateA, 'key-1'));
    await compile(id, templateA, 'key-2');
    world().clock.pass(25_000);
    await reverseCharges(world())();
    const firstDay = world().clock.now().toISOString().slice(0, 10);
    world().clock.pass(dayMs);
    await send(id, 'send-bulk', 'key-1');
    await send(id, 'batch', 'queue');
    await send(id, undefined, 'key-1');
    return { id, firstDay, secondDay: world().clock.now().toISOString().slice(0, 10) };
  };

  describe('list-credit-log', () => {
    const list = async (organizationId: string, query: object = {}) =>
      listOperation.reply.parse(
        await run(
          listCreditLog(world()),
          {
            params: { organization_id: organizationId },
            query: { limit: 20, offset: 0, ...query },
            body: undefined,
          },
          { organizationId },
        ),
      );

    it('lists every row newest first, and the rows add up to the balance', async () => {
      const { id } = await busy();
      const { data, pagination } = await list(id);
      expect(data.map((it) => `${it.kind} ${it.operation} ${it.amount}`)).toEqual([
        'charge send -1',
        'charge send -1',
        'charge batch -1',
        'charge batch -1',
        'charge send-bulk -1',
        'charge send-bulk -1',
        'reversal compile 1',
        'charge compile -1',
        'charge compile -1',
        'grant null 100',
      ]);
      expect(pagination).toEqual({ offset: 0, limit: 20, total: 10 });
      expect(data.reduce((sum, it) => sum + it.amount, 0)).toBe(93);
      expect(data[0]).toMatchObject({ environment: 'preview', template_id: templateB, key_id: 'key-1' });
      expect(data.at(-1)).toMatchObject({ environment: null, template_id: null, reason: 'first grant' });
      const paged = [...(await list(id, { limit: 4 })).data, ...(await list(id, { offset: 4 })).data];
      expect(paged).toEqual(data);
      expect(await list(id, { offset: 100 })).toMatchObject({ data: [], pagination: { total: 10 } });
    });

    it('lists each row once by the cursor while others are written', async () => {
      const { id } = await busy();
      const add = () =>
        world().rows(
          `insert into credit_log (id, organization_id, kind, amount, operation_id, operation)
           values (uuidv7(), $1, 'charge', -1, uuidv7(), 'send')`,
          [id],
        );
      const filter = { kind: 'charge' };
      const newest = (await list(id, filter)).data;
      expect(newest).toHaveLength(8);
      expect(await walked((query) => list(id, { ...filter, ...query }), add)).toEqual(newest);
    });

    it.each([
      ['operation', { operation: 'batch' }, 2],
      ['template', { template_id: templateA }, 3],
      ['key', { key_id: 'key-1' }, 5],
      ['kind', { kind: 'reversal' }, 1],
      ['all of them', { operation: 'send', kind: 'charge', key_id: 'key-1', template_id: templateB }, 2],
    ])('filters by %s', async (_, query, total) => {
      const { id } = await busy();
      const { data, pagination } = await list(id, query);
      expect([data.length, pagination.total]).toEqual([total, total]);
    });

    it('filters by UTC day', async () => {
      const { id, firstDay, secondDay } = await busy();
      expect((await list(id, { day: firstDay })).pagination.total).toBe(4);
      expect((await list(id, { day: secondDay })).pagination.total).toBe(6);
    });

    it("answers another organization's id like an unknown one, and reports a missing account", async () => {
      const other = await found(world());
      const ask = (organization_id: string, organizationId: string) =>
        run(
          listCreditLog(world()),
          { params: { organization_id }, query: { limit: 20, offset: 0 }, body: undefined },
          { organizationId },
        );
      const { id } = await found(world());
      await expect(ask(other.id, id)).rejects.toMatchObject({ code: 'organization_not_found' });
      const nobody = uuidv7();
      await expect(ask(nobody, nobody)).rejects.toMatchObject({ code: 'credits_not_found' });
    });

    it('is available to operators too', async () => {
      const { id } = await busy();
      const shown = await runInternal(showCreditLog(world()), { organization_id: id, operation: 'compile' });
      expect(shown).toMatchObject({ total: 3, entries: expect.any(Array) });
      await expect(runInternal(showCreditLog(world()), { organization_id: uuidv7() })).rejects.toMatchObject({
        code: 'organization_not_found',
      });
    });
  });

  describe('get-usage', () => {
    const use = async (organizationId: string, group_by: UsageGrouping, more: object = {}) =>
      getUsageOperation.reply.parse(
        await run(
          getUsage(world()),
          { params: undefined, query: { limit: 20, offset: 0, group_by, ...more }, body: undefined },
          { organizationId },
        ),
      );
    const used = (charges: number, reversals = 0) => ({ charges, reversals, credits: charges - reversals });

    it('counts by day, operation, template and key', async () => {
      const { id, firstDay, secondDay } = await busy();
      const byDay = await use(id, 'day');
      expect(byDay).toMatchObject({ group_by: 'day', to: secondDay, total: used(8, 1) });
      expect(byDay.data).toEqual([
        { group: firstDay, ...used(2, 1) },
        { group: secondDay, ...used(6) },
      ]);
      expect((await use(id, 'operation')).data).toEqual([
        { group: 'batch', ...used(2) },
        { group: 'send', ...used(2) },
        { group: 'send-bulk', ...used(2) },
        { group: 'compile', ...used(2, 1) },
      ]);
      expect((await use(id, 'template')).data).toEqual([
        { group: templateB, ...used(6) },
        { group: templateA, ...used(2, 1) },
      ]);
      expect((await use(id, 'key')).data).toEqual([
        { group: 'key-1', ...used(5) },
        { group: 'queue', ...used(2) },
        { group: 'key-2', ...used(1, 1) },
      ]);
    });

    it('counts exactly the requested days, with their totals on every page', async () => {
      const { id, firstDay } = await busy();
      const first = await use(id, 'operation', { from: firstDay, to: firstDay });
      expect(first).toMatchObject({ total: used(2, 1), data: [{ group: 'compile', ...used(2, 1) }] });
      const beyond = await use(id, 'operation', { offset: 50 });
      expect(beyond).toMatchObject({ data: [], total: used(8, 1), pagination: { total: 4 } });
    });

    it('is empty without any use', async () => {
      const { id } = await found(world());
      expect(await use(id, 'day')).toMatchObject({ data: [], total: used(0), pagination: { total: 0 } });
    });
  });

  describe('get-usage-limits', () => {
    const limits = async (organizationId: string, call: () => Promise<unknown>) =>
      getLimitsOperation.reply.parse(
        await run(
          getUsageLimits({ ...world(), rpc: { call: async () => JSON.parse(JSON.stringify(await call())) } }),
          { params: undefined, query: undefined, body: undefined },
          { organizationId },
        ),
      );

    it('shows the tier, the credits with their overage, and the remaining events of today', async () => {
      const { id } = await found(world(), { tier: 'pro', credits: 1 });
      await confirm(await compile(id, templateA, 'k'), await compile(id, templateA, 'k'));
      const shown = await limits(id, async () => ({
        day: '2026-11-21',
        events: 99_990,
        templates: 7,
        destinations: 0,
        bytes: 1_024,
        scheduled_data_bytes: 512,
      }));
      expect(shown).toMatchObject({
        tier: 'pro',
        credits: {
          balance: -1,
          available: 9_999,
          overage_limit: 10_000,
          overage_used: 1,
          monthly_grant: 50_000,
        },
        events: { per_day: 100_000, used_today: 99_990, left_today: 10 },
        queues: { active: 10, modes: ['rolling_window', 'fixed_volume'] },
        stored: {
          templates: { limit: 5_000, used: 7 },
          destinations: { limit: 500, used: 0 },
          bytes: { limit: 1_000_000_000, used: 1_024 },
          scheduled_data_bytes: { limit: 200_000_000, used: 512 },
          members: { limit: 10_000, used: 1 },
          entity_fields: { limit: 500 },
        },
      });
      expect(shown.credits.next_grant_at).toMatch(/-01T00:00:00.000Z$/);
      expect(shown.events.resets_at).toMatch(/T00:00:00.000Z$/);
    });

    it('says when the day ends whose events are counted, though the clock of the process is behind', async () => {
      const { id } = await found(world());
      const shown = await limits(id, async () => ({ day: '2026-12-24', events: 1_000 }));
      expect(shown.events).toMatchObject({ left_today: 0, resets_at: '2026-12-25T00:00:00.000Z' });
    });

    it('shows no negative remainder', async () => {
      const { id } = await found(world());
      const shown = await limits(id, async () => ({ day: '2026-11-21', events: 1_001 }));
      expect(shown.events).toMatchObject({ per_day: 1_000, left_today: 0 });
    });

    it('answers without events while delivery of them is unavailable, and hides no other failure', async () => {
      const { id } = await found(world());
      const away = await limits(id, () => Promise.reject(new RpcFailure('timeout', 'the call', true)));
      expect(away.events).toMatchObject({ per_day: 1_000, used_today: null, left_today: null });
      expect(away.stored.templates).toEqual({ limit: 500, used: null });
      await expect(limits(id, () => Promise.reject(new CodedError('internal_error')))).rejects.toMatchObject({
        code: 'internal_error',
      });
    });

    it('reports a missing account', async () => {
      await expect(limits(uuidv7(), async () => ({}))).rejects.toMatchObject({ code: 'credits_not_found' });
    });
  });
});
