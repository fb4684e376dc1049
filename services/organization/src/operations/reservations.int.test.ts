import { describe, expect, it } from '@jest/globals';
import {
  type InputOf,
  type ReplyOf,
  reportReservations,
  type reserveCredits as reserveDeclaration,
} from '@stanza/contracts';
import { waitUntil } from '@stanza/local';
import { type RpcClient, Tenant } from '@stanza/runtime';
import { until } from '@stanza/runtime/testing/wait';
import { limits } from '@stanza/test-kit/limits';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import { settleOverdue } from '../jobs/settle-overdue.ts';
import { lockAccount } from '../store/accounts.ts';
import { addReservations } from '../store/reservations.ts';
import { settleTogether } from '../store/settlements.ts';
import { accountOf, found, openWorld, runInternal } from '../testing/world.ts';
import { chargeCredits } from './charge-credits.ts';
import { reserveCredits } from './reserve-credits.ts';
import { reserveTogether } from './reserve-together.ts';
import { settleReservation } from './settle-reservation.ts';

type Asked = InputOf<typeof reportReservations>['reservations'];
type Reports = ReplyOf<typeof reportReservations>['reports'];

describe('reservations', () => {
  const world = sharedByTests(openWorld);

  const isSomeoneWaiting = async () => {
    const waiting = await world().rows(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return waiting.length > 0;
  };

  interface Reserving {
    amount?: number;
    environment?: string;
  }

  const reserve = (organization_id: string, operation_id: string, options: Reserving = {}) => {
    const { amount = 1, environment = 'production' } = options;
    const facts = { template_id: uuidv7(), actor_id: 'key' };
    const input = { organization_id, environment, operation_id, amount, ...facts };
    return runInternal(reserveCredits(world()), input);
  };
  const item = (number: number, charged: boolean) => ({
    item: number,
    charged,
    credit_log_id: uuidv7(),
    message_id: uuidv7(),
  });
  const settle = (
    organization_id: string,
    operation_id: string,
    items: object[],
    environment = 'production',
  ) => {
    return runInternal(settleReservation(world()), { organization_id, environment, operation_id, items });
  };
  const stateOf = async (operationId: string) => {
    const [row] = await world().rows<{ open_items: number; closed: boolean }>(
      'select open_items, closed_at is not null as closed from reservations where operation_id = $1',
      [operationId],
    );
    return row;
  };

  describe('reserve-credits', () => {
    it('holds credits once per operation and gives every repeat the first answer', async () => {
      const { id } = await found(world(), { credits: 10 });
      const operation = uuidv7();
      const answers = await Promise.all([1, 2, 3].map(() => reserve(id, operation, { amount: 4 })));
      expect(answers[0]).toEqual({ reservation_id: expect.any(String), remaining_credits: 6 });
      expect(answers).toEqual([answers[0], answers[0], answers[0]]);
      await reserve(id, uuidv7(), { amount: 2 });
      expect(await reserve(id, operation, { amount: 4 })).toEqual(answers[0]);
      expect(await accountOf(world(), id)).toMatchObject({ balance: 10, reserved: 6, held: 6 });
    });

    it('holds all or nothing, and leaves only unreserved credits to charges', async () => {
      const { id } = await found(world(), { credits: 3 });
      await expect(reserve(id, uuidv7(), { amount: 4 })).rejects.toMatchObject({
        code: 'insufficient_credits',
      });
      await reserve(id, uuidv7(), { amount: 2 });
      const charges = [1, 2].map(() => ({
        environment: 'production',
        operation_id: uuidv7(),
        template_id: uuidv7(),
        actor_id: 'key',
      }));
      const { outcomes } = await runInternal(chargeCredits(world()), { organization_id: id, charges });
      expect(outcomes.map((it) => it.charged)).toEqual([true, false]);
      await expect(reserve(id, uuidv7())).rejects.toMatchObject({ code: 'insufficient_credits' });
    });

    it('decides joined requests one by one when the credits do not suffice for all of them', async () => {
      const { id } = await found(world(), { credits: 10 });
      const handler = reserveCredits(world());
      const facts = { template_id: uuidv7(), actor_id: 'key', environment: 'production' };
      const wish = (amount: number, operation_id = uuidv7()) =>
        runInternal(handler, { organization_id: id, operation_id, amount, ...facts });
      const repeated = uuidv7();
      const settled = await Promise.allSettled([
        wish(1),
        ...[6, 6, 3].map((amount) => wish(amount)),
        ...[1, 2].map(() => wish(4, repeated)),
      ]);
      expect(settled.map((it) => it.status)).toEqual([
        'fulfilled',
        'fulfilled',
        'rejected',
        'fulfilled',
        'rejected',
        'rejected',
      ]);
      expect(await accountOf(world(), id)).toMatchObject({ balance: 10, reserved: 10, held: 10 });
    });

    it('answers each of several requests of one call, whether it is reserved or refused', async () => {
      const { id } = await found(world(), { credits: 10 });
      const facts = { template_id: uuidv7(), actor_id: 'key', environment: 'production' };
      const wishes = [4, 8, 5].map((amount) => ({ operation_id: uuidv7(), amount, ...facts }));
      const ask = () => runInternal(reserveTogether(world()), { organization_id: id, wishes });
      const answer = await ask();
      expect(answer.outcomes).toMatchObject([
        { reserved: true, remaining_credits: 6 },
        { reserved: false, code: 'insufficient_credits' },
        { reserved: true, remaining_credits: 1 },
      ]);
      expect(await ask()).toEqual(answer);
      expect(await accountOf(world(), id)).toMatchObject({ balance: 10, reserved: 9, held: 9 });
      const unknown = await runInternal(reserveTogether(world()), { organization_id: uuidv7(), wishes });
      expect(unknown.outcomes).toEqual(wishes.map(() => ({ reserved: false, code: 'credits_not_found' })));
    });

    it('returns to each joined request the credits that remain after it', async () => {
      const { id } = await found(world(), { credits: 10 });
      const handler = reserveCredits(world());
      const facts = { template_id: uuidv7(), actor_id: 'key', environment: 'production' };
      const answers = await Promise.all(
        [1, 2, 3, 4].map((amount) =>
          runInternal(handler, { organization_id: id, operation_id: uuidv7(), amount, ...facts }),
        ),
      );
      expect(answers.map((it) => it.remaining_credits)).toEqual([9, 7, 4, 0]);
    });

    it('returns the reservation that another replica writes for the same operation during the wait for the account', async () => {
      const { id } = await found(world(), { credits: 10 });
      const [operation, other] = [uuidv7(), uuidv7()];
      const handler = reserveCredits(world());
      const facts = { template_id: uuidv7(), actor_id: 'key', environment: 'production' } as const;
      const wish = (operation_id: string) =>
        runInternal(handler, { organization_id: id, operation_id, amount: 4, ...facts });
      let waiting: Promise<ReplyOf<typeof reserveDeclaration>[]> | undefined;
      await world().database.transaction(async (tx) => {
        await lockAccount(tx, id);
        waiting = Promise.all([wish(operation), wish(other)]);
        expect(await waitUntil(isSomeoneWaiting, { timeoutMs: limits.conditionMs })).toBe(true);
        const reservation = { reservation_id: uuidv7(), remaining_credits: 6, amount: 4 };
        await addReservations(tx, id, [
          { ...facts, operation: 'send', operation_id: operation, ...reservation },
        ]);
      });
      expect((await waiting)?.map((it) => it.remaining_credits)).toEqual([6, 2]);
      expect(await accountOf(world(), id)).toMatchObject({ balance: 10, reserved: 8, held: 8 });
    });

    it('uses the overage and reports when it is used up', async () => {
      const { id } = await found(world(), { credits: 1, tier: 'pro' });
      await world().rows('update credit_accounts set overage = 2 where organization_id = $1', [id]);
      expect(await reserve(id, uuidv7(), { amount: 3 })).toMatchObject({ remaining_credits: -2 });
      await expect(reserve(id, uuidv7())).rejects.toMatchObject({ code: 'overage_limit_exceeded' });
    });

    it('reports an unknown organization as having no account', async () => {
      await expect(reserve(uuidv7(), uuidv7())).rejects.toMatchObject({ code: 'credits_not_found' });
    });
  });

  describe('settle-reservation', () => {
    it('charges accepted messages under the given ids and releases the others, until all are settled', async () => {
      const { id } = await found(world(), { credits: 10 });
      const operation = uuidv7();
      await reserve(id, operation, { amount: 3, environment: 'preview' });
      const [first, second, third] = [item(0, true), item(1, false), item(2, true)];
      await settle(id, operation, [first, second], 'preview');
      expect(await stateOf(operation)).toEqual({ open_items: 1, closed: false });
      expect(await accountOf(world(), id)).toMatchObject({ balance: 9, reserved: 1, ledger: 9 });
      await settle(id, operation, [third], 'preview');
      expect(await stateOf(operation)).toEqual({ open_items: 0, closed: true });
      const rows = await world().rows(
        `select id as credit_log_id, item, message_id, amount, environment
         from credit_log where operation_id = $1 order by item`,
        [operation],
      );
      const charged = [first, third].map(({ charged: _, ...facts }) => facts);
      expect(rows).toEqual(charged.map((it) => ({ ...it, amount: -1, environment: 'preview' })));
      expect(await accountOf(world(), id)).toMatchObject({ balance: 8, reserved: 0, ledger: 8 });
    });

    it('changes nothing when the settlement arrives again, in pieces, concurrently or with another outcome', async () => {
      const { id } = await found(world(), { credits: 10 });
      const operation = uuidv7();
      await reserve(id, operation, { amount: 2 });
      const items = [item(0, true), item(1, false)];
      await Promise.all([
        settle(id, operation, items),
        settle(id, operation, items.slice(1)),
        settle(id, operation, items.slice(0, 1)),
      ]);
      await settle(id, operation, items);
      await settle(id, operation, [item(0, false), item(1, true)]);
      expect(await accountOf(world(), id)).toMatchObject({ balance: 9, reserved: 0, ledger: 9, held: 0 });
    });

    it('settles joined calls once each, and refuses only that of an unknown reservation', async () => {
      const { id } = await found(world(), { credits: 10 });
      const handler = settleReservation(world());
      const together = (operation_id: string, items: object[]) =>
        runInternal(handler, { organization_id: id, environment: 'production', operation_id, items });
      const [one, two, unknown] = [uuidv7(), uuidv7(), uuidv7()];
      await reserve(id, one, { amount: 3 });
      await reserve(id, two, { amount: 1 });
      const items = [item(0, true), item(1, false), item(2, true)];
      const all = () => [
        together(one, items.slice(0, 2)),
        together(unknown, [item(0, true)]),
        together(one, items.slice(1)),
        together(two, [item(0, true)]),
        together(one, items),
      ];
      for (const settled of [await Promise.allSettled(all()), await Promise.allSettled(all())]) {
        expect(settled.map((it) => it.status)).toEqual([
          'fulfilled',
          'rejected',
          'fulfilled',
          'fulfilled',
          'fulfilled',
        ]);
        expect(settled[1]).toMatchObject({ reason: { code: 'not_found' } });
      }
      expect(await stateOf(one)).toEqual({ open_items: 0, closed: true });
      expect(await stateOf(two)).toEqual({ open_items: 0, closed: true });
      expect(await accountOf(world(), id)).toMatchObject({ balance: 7, reserved: 0, ledger: 7, held: 0 });
    });

    it('settles several operations of one call, in both environments, also beside an unknown one', async () => {
      const { id } = await found(world(), { credits: 10 });
      const [one, two, unknown] = [uuidv7(), uuidv7(), uuidv7()];
      await reserve(id, one, { amount: 2 });
      await reserve(id, two, { environment: 'preview' });
      const first = { environment: 'production', operation_id: one, items: [item(0, true), item(1, false)] };
      const other = { environment: 'preview', operation_id: two, items: [item(0, true)] };
      const work = { organization_id: id, ...first, others: [other] };
      const handler = settleReservation(world());
      const lost = { environment: 'production', operation_id: unknown, items: [item(0, true)] };
      const partly = { organization_id: id, ...lost, others: [other] };
      await expect(runInternal(handler, partly)).rejects.toMatchObject({ code: 'not_found' });
      expect(await stateOf(two)).toEqual({ open_items: 0, closed: true });
      await runInternal(handler, work);
      await runInternal(handler, work);
      expect(await stateOf(one)).toEqual({ open_items: 0, closed: true });
      expect(await stateOf(two)).toEqual({ open_items: 0, closed: true });
      expect(await accountOf(world(), id)).toMatchObject({ balance: 8, reserved: 0, ledger: 8, held: 0 });
    });

    it('keeps the outcome that another replica writes during the wait for the account', async () => {
      const { id } = await found(world(), { credits: 10 });
      const operation = uuidv7();
      await reserve(id, operation, { amount: 2 });
      const tenant = new Tenant(id, 'production');
      const outcome = (number: number, charged: boolean) => ({
        item: number,
        charged,
        creditLogId: charged ? uuidv7() : null,
        messageId: uuidv7(),
      });
      let waiting: Promise<unknown> | undefined;
      await world().database.transaction(async (tx) => {
        const work = { tenant, operationId: operation, items: [outcome(0, false)] };
        await settleTogether(tx, id, [work], world().clock.now());
        waiting = settle(id, operation, [item(0, true), item(1, true)]);
        expect(await waitUntil(isSomeoneWaiting, { timeoutMs: limits.conditionMs })).toBe(true);
      });
      await waiting;
      expect(await stateOf(operation)).toEqual({ open_items: 0, closed: true });
      expect(await accountOf(world(), id)).toMatchObject({ balance: 9, reserved: 0, ledger: 9 });
    });

    it("refuses the settlement of an unknown reservation, and of another tenant's operation", async () => {
      const [one, two] = [await found(world()), await found(world())];
      const operation = uuidv7();
      await reserve(one.id, operation);
      for (const [organization, environment] of [
        [two.id, 'production'],
        [one.id, 'preview'],
      ] as const) {
        const settling = settle(organization, operation, [item(0, true)], environment);
        await expect(settling).rejects.toMatchObject({ code: 'not_found' });
      }
      expect(await stateOf(operation)).toEqual({ open_items: 1, closed: false });
    });

    it('ignores messages beyond the reserved ones', async () => {
      const { id } = await found(world(), { credits: 10 });
      const operation = uuidv7();
      await reserve(id, operation, { amount: 1 });
      await settle(id, operation, [item(1, true), item(0, true)]);
      expect(await accountOf(world(), id)).toMatchObject({ balance: 9, reserved: 0, ledger: 9 });
    });
  });

  describe('an overdue reservation', () => {
    const asking = (asked: Asked[], reports: (reservations: Asked) => Reports) => {
      // Stands in for delivery's answer over the wire.
      const rpc: RpcClient = {
        call: async (_operation, input) => {
          const { reservations } = reportReservations.input.parse(input);
          asked.push(reservations);
          return JSON.parse(JSON.stringify({ reports: reports(reservations) }));
        },
      };
      return settleOverdue({ ...world(), rpc });
    };
    const clear = async () => {
      world().clock.pass(60_000);
      await asking([], (all) =>
        all.map((it) => ({ operation_id: it.operation_id, open: false, items: [] })),
      )();
    };

    it("is queried after 30 seconds and settled by delivery's report: unknown messages are released", async () => {
      await clear();
      const { id } = await found(world(), { credits: 10 });
      const operation = uuidv7();
      await reserve(id, operation, { amount: 3 });
      const asked: Asked[] = [];
      const charged = { item: 1, charged: true, credit_log_id: uuidv7(), message_id: uuidv7() };
      const job = asking(asked, () => [{ operation_id: operation, open: false, items: [charged] }]);
      world().clock.pass(29_999);
      await job();
      expect(asked).toEqual([]);
      world().clock.pass(1);
      await job();
      await job();
      const wanted = { organization_id: id, environment: 'production', operation_id: operation, amount: 3 };
      expect(asked).toEqual([[wanted]]);
      expect(await stateOf(operation)).toEqual({ open_items: 0, closed: true });
      expect(await accountOf(world(), id)).toMatchObject({ balance: 9, reserved: 0, ledger: 9 });
      const [row] = await world().rows('select item, message_id from credit_log where id = $1', [
        charged.credit_log_id,
      ]);
      expect(row).toEqual({ item: 1, message_id: charged.message_id });
    });

    it('is queried again while it is open, not reported, or delivery is unavailable', async () => {
      await clear();
      const { id } = await found(world(), { credits: 10 });
      const operation = uuidv7();
      await reserve(id, operation);
      const asked: Asked[] = [];
      const answers: (() => Reports)[] = [
        () => [{ operation_id: operation, open: true, items: [] }],
        () => [],
        () => {
          throw new Error('away');
        },
      ];
      const job = asking(
        asked,
        () => answers.shift()?.() ?? [{ operation_id: operation, open: false, items: [] }],
      );
      for (const _ of [1, 2, 3]) {
        world().clock.pass(30_000);
        await job().catch(() => undefined);
        expect(await stateOf(operation)).toEqual({ open_items: 1, closed: false });
      }
      world().clock.pass(30_000);
      await job();
      expect(asked).toHaveLength(4);
      expect(await accountOf(world(), id)).toMatchObject({ balance: 10, reserved: 0 });
    });

    it('is queried by one replica only', async () => {
      await clear();
      const { id } = await found(world(), { credits: 10 });
      await Promise.all([1, 2, 3, 4].map(() => reserve(id, uuidv7())));
      world().clock.pass(30_000);
      const asked: Asked[] = [];
      const job = asking(asked, () => []);
      await Promise.all([job(), job(), job()]);
      const operations = asked.flat().map((it) => it.operation_id);
      expect(operations).toHaveLength(4);
      expect(new Set(operations).size).toBe(4);
    });

    it('is queried in turns by organization, however many of one are overdue', async () => {
      await clear();
      const [busy, other] = [await found(world(), { credits: 1_000 }), await found(world(), { credits: 10 })];
      for (let count = 0; count < 120; count++) await reserve(busy.id, uuidv7());
      world().clock.pass(1);
      await reserve(other.id, uuidv7());
      world().clock.pass(30_000);
      const asked: Asked[] = [];
      await asking(asked, () => [])();
      expect(asked.map((it) => it.length)).toEqual([100, 21]);
      expect(asked[0]?.some((it) => it.organization_id === other.id)).toBe(true);
    });

    it('is settled while the account of another organization is held', async () => {
      await clear();
      const [held, other] = [await found(world(), { credits: 10 }), await found(world(), { credits: 10 })];
      for (const { id } of [held, held, other]) await reserve(id, uuidv7());
      world().clock.pass(30_000);
      const job = asking([], (all) =>
        all.map((it) => ({ operation_id: it.operation_id, open: false, items: [] })),
      );
      let settled: Promise<void> | undefined;
      await world().database.transaction(async (tx) => {
        await lockAccount(tx, held.id);
        settled = job();
        await until(async () => (await accountOf(world(), other.id)).reserved === 0);
        await until(isSomeoneWaiting);
      });
      await settled;
      expect(await accountOf(world(), held.id)).toMatchObject({ balance: 10, reserved: 0 });
    });
  });
});
