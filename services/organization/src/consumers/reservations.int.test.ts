import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type InputOf, type ReplyOf, reportReservations } from '@stanza/contracts';
import { PermanentFailure, type RpcClient } from '@stanza/runtime';
import { v7 as uuidv7 } from 'uuid';
import { settleOverdue } from '../jobs/settle-overdue.ts';
import { chargeCredits } from '../operations/charge-credits.ts';
import { reserveCredits } from '../operations/reserve-credits.ts';
import { accountOf, found, openWorld, runInternal, type World } from '../testing/world.ts';
import { settleReservation } from './settle-reservation.ts';

type Asked = InputOf<typeof reportReservations>['reservations'];
type Reports = ReplyOf<typeof reportReservations>['reports'];

describe('reservations', () => {
  let world: World;

  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  interface Reserving {
    amount?: number;
    environment?: string;
  }

  const reserve = (organization_id: string, operation_id: string, options: Reserving = {}) => {
    const { amount = 1, environment = 'production' } = options;
    const facts = { template_id: uuidv7(), actor_id: 'key' };
    const input = { organization_id, environment, operation_id, amount, ...facts };
    return runInternal(reserveCredits(world), input);
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
    const work = settleReservation(world).read({ organization_id, environment, operation_id, items });
    return world.database.transaction((tx) => work(tx, { id: uuidv7(), attempt: 1 }));
  };
  const stateOf = async (operationId: string) => {
    const [row] = await world.rows<{ open_items: number; closed: boolean }>(
      'select open_items, closed_at is not null as closed from reservations where operation_id = $1',
      [operationId],
    );
    return row;
  };

  describe('reserve-credits', () => {
    it('holds credits once by operation, and gives every repeat the first answer', async () => {
      const { id } = await found(world, { credits: 10 });
      const operation = uuidv7();
      const answers = await Promise.all([1, 2, 3].map(() => reserve(id, operation, { amount: 4 })));
      expect(answers[0]).toEqual({ reservation_id: expect.any(String), remaining_credits: 6 });
      expect(answers).toEqual([answers[0], answers[0], answers[0]]);
      await reserve(id, uuidv7(), { amount: 2 });
      expect(await reserve(id, operation, { amount: 4 })).toEqual(answers[0]);
      expect(await accountOf(world, id)).toMatchObject({ balance: 10, reserved: 6, held: 6 });
    });

    it('holds all or nothing, and leaves to charges only what is not held', async () => {
      const { id } = await found(world, { credits: 3 });
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
      const { outcomes } = await runInternal(chargeCredits(world), { organization_id: id, charges });
      expect(outcomes.map((it) => it.charged)).toEqual([true, false]);
      await expect(reserve(id, uuidv7())).rejects.toMatchObject({ code: 'insufficient_credits' });
    });

    it('uses the overage, and says when it is used up', async () => {
      const { id } = await found(world, { credits: 1, tier: 'pro' });
      await world.rows('update credit_accounts set overage = 2 where organization_id = $1', [id]);
      expect(await reserve(id, uuidv7(), { amount: 3 })).toMatchObject({ remaining_credits: -2 });
      await expect(reserve(id, uuidv7())).rejects.toMatchObject({ code: 'overage_limit_exceeded' });
    });

    it('knows no account of an unknown organization', async () => {
      await expect(reserve(uuidv7(), uuidv7())).rejects.toMatchObject({ code: 'credits_not_found' });
    });
  });

  describe('settle-reservation', () => {
    it('charges accepted messages under the given ids and releases the others, until all are settled', async () => {
      const { id } = await found(world, { credits: 10 });
      const operation = uuidv7();
      await reserve(id, operation, { amount: 3, environment: 'preview' });
      const [first, second, third] = [item(0, true), item(1, false), item(2, true)];
      await settle(id, operation, [first, second], 'preview');
      expect(await stateOf(operation)).toEqual({ open_items: 1, closed: false });
      expect(await accountOf(world, id)).toMatchObject({ balance: 9, reserved: 1, ledger: 9 });
      await settle(id, operation, [third], 'preview');
      expect(await stateOf(operation)).toEqual({ open_items: 0, closed: true });
      const rows = await world.rows(
        `select id as credit_log_id, item, message_id, amount, environment
         from credit_log where operation_id = $1 order by item`,
        [operation],
      );
      const charged = [first, third].map(({ charged: _, ...facts }) => facts);
      expect(rows).toEqual(charged.map((it) => ({ ...it, amount: -1, environment: 'preview' })));
      expect(await accountOf(world, id)).toMatchObject({ balance: 8, reserved: 0, ledger: 8 });
    });

    it('changes nothing when it comes again, in pieces, at once, or with another outcome', async () => {
      const { id } = await found(world, { credits: 10 });
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
      expect(await accountOf(world, id)).toMatchObject({ balance: 9, reserved: 0, ledger: 9, held: 0 });
    });

    it('leaves nothing behind when the process dies before the commit, and is done when it comes again', async () => {
      const { id } = await found(world, { credits: 10 });
      const operation = uuidv7();
      await reserve(id, operation, { amount: 1 });
      const payload = {
        organization_id: id,
        environment: 'production',
        operation_id: operation,
        items: [item(0, true)],
      };
      const dying = world.database.transaction(async (tx) => {
        await settleReservation(world).read(payload)(tx, { id: uuidv7(), attempt: 1 });
        throw new Error('died');
      });
      await expect(dying).rejects.toThrow('died');
      expect(await accountOf(world, id)).toMatchObject({ balance: 10, reserved: 1, ledger: 10 });
      await settle(id, operation, payload.items);
      expect(await accountOf(world, id)).toMatchObject({ balance: 9, reserved: 0, ledger: 9 });
    });

    it('gives up on what was never reserved, and on the same operation of another tenant', async () => {
      const [one, two] = [await found(world), await found(world)];
      const operation = uuidv7();
      await reserve(one.id, operation);
      for (const [organization, environment] of [
        [two.id, 'production'],
        [one.id, 'preview'],
      ] as const) {
        await expect(settle(organization, operation, [item(0, true)], environment)).rejects.toThrow(
          PermanentFailure,
        );
      }
      expect(await stateOf(operation)).toEqual({ open_items: 1, closed: false });
    });

    it('ignores messages beyond those that were reserved', async () => {
      const { id } = await found(world, { credits: 10 });
      const operation = uuidv7();
      await reserve(id, operation, { amount: 1 });
      await settle(id, operation, [item(1, true), item(0, true)]);
      expect(await accountOf(world, id)).toMatchObject({ balance: 9, reserved: 0, ledger: 9 });
    });
  });

  describe('an old reservation', () => {
    const asking = (asked: Asked[], reports: (reservations: Asked) => Reports) => {
      // What delivery answers, in place of the wire.
      const rpc: RpcClient = {
        call: async (_operation, input) => {
          const { reservations } = reportReservations.input.parse(input);
          asked.push(reservations);
          return JSON.parse(JSON.stringify({ reports: reports(reservations) }));
        },
      };
      return settleOverdue({ ...world, rpc });
    };
    const clear = async () => {
      world.clock.pass(60_000);
      await asking([], (all) =>
        all.map((it) => ({ operation_id: it.operation_id, open: false, items: [] })),
      )();
    };

    it('is asked about after 30 seconds, and settled by what delivery says: the unknown is released', async () => {
      await clear();
      const { id } = await found(world, { credits: 10 });
      const operation = uuidv7();
      await reserve(id, operation, { amount: 3 });
      const asked: Asked[] = [];
      const charged = { item: 1, charged: true, credit_log_id: uuidv7(), message_id: uuidv7() };
      const job = asking(asked, () => [{ operation_id: operation, open: false, items: [charged] }]);
      world.clock.pass(29_999);
      await job();
      expect(asked).toEqual([]);
      world.clock.pass(1);
      await job();
      await job();
      const wanted = { organization_id: id, environment: 'production', operation_id: operation, amount: 3 };
      expect(asked).toEqual([[wanted]]);
      expect(await stateOf(operation)).toEqual({ open_items: 0, closed: true });
      expect(await accountOf(world, id)).toMatchObject({ balance: 9, reserved: 0, ledger: 9 });
      const [row] = await world.rows('select item, message_id from credit_log where id = $1', [
        charged.credit_log_id,
      ]);
      expect(row).toEqual({ item: 1, message_id: charged.message_id });
    });

    it('is asked about again while it is open, not reported, or delivery is away', async () => {
      await clear();
      const { id } = await found(world, { credits: 10 });
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
        world.clock.pass(30_000);
        await job().catch(() => undefined);
        expect(await stateOf(operation)).toEqual({ open_items: 1, closed: false });
      }
      world.clock.pass(30_000);
      await job();
      expect(asked).toHaveLength(4);
      expect(await accountOf(world, id)).toMatchObject({ balance: 10, reserved: 0 });
    });

    it('is asked about by one replica alone', async () => {
      await clear();
      const { id } = await found(world, { credits: 10 });
      await Promise.all([1, 2, 3, 4].map(() => reserve(id, uuidv7())));
      world.clock.pass(30_000);
      const asked: Asked[] = [];
      const job = asking(asked, () => []);
      await Promise.all([job(), job(), job()]);
      const operations = asked.flat().map((it) => it.operation_id);
      expect(operations).toHaveLength(4);
      expect(new Set(operations).size).toBe(4);
    });
  });
});
