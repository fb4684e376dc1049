import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { InputOf, Principal, updateQueue as updating } from '@stanza/contracts';
import { newContext, newId } from '@stanza/runtime';
import { getBatchContent } from '../operations/get-batch-content.ts';
import { retryBatch } from '../operations/retry-batch.ts';
import { updateQueue } from '../operations/update-queue.ts';
import { reportBatch } from '../report-batch.ts';
import {
  ask,
  byThree,
  newQueue,
  openWorld,
  pusher,
  rolling,
  somebody,
  type World,
} from '../testing/world.ts';
import { closeBatches } from './close-batches.ts';

interface Row {
  id: string;
  status: string;
  close_reason: string | null;
  operation_id: string;
  attempt: number;
  error: string | null;
}

describe('a batch', () => {
  let world: World;
  let principal: Principal;

  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());
  beforeEach(() => {
    principal = somebody();
  });

  const rowOf = async (id: string): Promise<Row> => {
    const [row] = await world.rows<Row>('select * from batches where id = $1', [id]);
    if (!row) throw new Error('there is no such batch');
    return row;
  };
  const handedOver = async (id: string): Promise<number> => {
    const rows = await world.rows(
      "select from outbox where subject = 'work.delivery.deliver-batch' and payload ->> 'batch_id' = $1",
      [id],
    );
    return rows.length;
  };
  const closedBy = async (policy: Parameters<typeof newQueue>[2], seconds: number[]): Promise<Row> => {
    const queue = await newQueue(world, principal, policy);
    let id = '';
    for (const wait of seconds) {
      ({ batch_id: id } = await pusher(world)(principal, queue.id, [{}]));
      await closeBatches(world)();
      world.clock.pass(wait);
    }
    await Promise.all([closeBatches(world)(), closeBatches(world)()]);
    return rowOf(id);
  };

  it('is closed when its window has passed in silence, and handed over once however many replicas close', async () => {
    const row = await closedBy(rolling, [60]);
    expect(row).toMatchObject({ status: 'ready', close_reason: 'window_elapsed', attempt: 1 });
    expect(await handedOver(row.id)).toBe(1);
  });

  it('is closed at its maximum, though each push has extended its window', async () => {
    const row = await closedBy(rolling, [50, 50, 50, 50, 50, 50]);
    expect(row).toMatchObject({ status: 'ready', close_reason: 'max_window' });
  });

  it('is closed after its longest wait when the threshold is not reached', async () => {
    const row = await closedBy({ ...byThree, max_wait_seconds: 30 }, [30]);
    expect(row).toMatchObject({ status: 'ready', close_reason: 'max_wait' });
  });

  it('stays open until its time has come', async () => {
    expect(await closedBy(rolling, [59.9])).toMatchObject({ status: 'collecting' });
  });

  describe('that is being delivered', () => {
    const ready = async () => {
      const queue = await newQueue(world, principal, byThree);
      const { batch_id: id } = await pusher(world)(principal, queue.id, [{ n: 0 }, { n: 1 }, { n: 2 }]);
      return { queue, id, operationId: (await rowOf(id)).operation_id };
    };
    type Ready = Awaited<ReturnType<typeof ready>>;
    const owner = () => ({ organization_id: principal.organization_id, environment: principal.environment });
    const content = ({ id, operationId }: Ready) =>
      ask(getBatchContent(world), { ...owner(), batch_id: id, operation_id: operationId }, principal);
    const report = (of: Ready, status: string, more: object = {}, operationId = of.operationId) =>
      world.database.transaction((tx) =>
        reportBatch(world).read({ ...owner(), batch_id: of.id, operation_id: operationId, status, ...more })(
          tx,
          {
            id: newId(),
            attempt: 1,
          },
        ),
      );
    const retry = (
      of: Ready,
      confirm_not_posted = false,
      context = newContext({ deadlineMs: 5_000, principal }),
      use_current_template = false,
    ) =>
      ask(
        retryBatch(world),
        {
          params: { id: of.queue.id, batch_id: of.id },
          query: undefined,
          body: { confirm_not_posted, use_current_template },
        },
        principal,
        context,
      );
    const retryWithCurrent = (of: Ready, context = newContext({ deadlineMs: 5_000, principal })) =>
      retry(of, false, context, true);
    const change = (of: Ready, body: InputOf<typeof updating>['body']) =>
      ask(updateQueue(world), { params: { id: of.queue.id }, query: undefined, body }, principal);

    it('gives its events in order, with the policy with which it began', async () => {
      const of = await ready();
      expect(await content(of)).toMatchObject({
        queue: { id: of.queue.id, name: byThree.name },
        template_id: byThree.template_id,
        channel_id: byThree.channel_id,
        events: [{ n: 0 }, { n: 1 }, { n: 2 }],
      });
      expect((await rowOf(of.id)).status).toBe('delivering');
      expect((await content(of)).events).toHaveLength(3);
    });

    it('ends as it is reported, and hears no second report', async () => {
      const of = await ready();
      await report(of, 'failed', { error: 'invalid_destination', error_details: 'not_in_channel' });
      await report(of, 'delivered');
      expect(await rowOf(of.id)).toMatchObject({ status: 'failed', error: 'invalid_destination' });
      await expect(content(of)).rejects.toMatchObject({ code: 'not_found' });
    });

    it('turns from unknown into delivered when its message was found after all', async () => {
      const of = await ready();
      await report(of, 'unknown');
      await report(of, 'delivered', { message_id: newId() });
      expect(await rowOf(of.id)).toMatchObject({ status: 'delivered' });
    });

    it('is retried as a new delivery, once by the operation, and forgets the reports of the old one', async () => {
      const of = await ready();
      await report(of, 'failed', { error: 'template_not_found' });
      const context = newContext({ deadlineMs: 5_000, principal });
      const answers = [await retry(of, false, context), await retry(of, false, context)];
      for (const answer of answers)
        expect(answer).toMatchObject({ status: 'ready', attempt: 2, error: null });
      expect(await handedOver(of.id)).toBe(2);
      await report(of, 'delivered');
      expect(await rowOf(of.id)).toMatchObject({ status: 'ready', operation_id: context.operationId });
      await report(of, 'delivered', {}, context.operationId);
      expect(await rowOf(of.id)).toMatchObject({ status: 'delivered' });
    });

    it('is retried with the template with which it began, or on request with the one that its queue names now', async () => {
      const of = await ready();
      const template_id = newId();
      await change(of, { template_id });
      await report(of, 'failed', { error: 'template_not_found' });
      await retry(of);
      const first = { ...of, operationId: (await rowOf(of.id)).operation_id };
      expect(await content(first)).toMatchObject({ template_id: byThree.template_id });
      await report(first, 'failed', { error: 'template_not_found' });
      const context = newContext({ deadlineMs: 5_000, principal });
      await retryWithCurrent(first, context);
      await change(of, { template_id: newId() });
      await retryWithCurrent(first, context);
      const second = { ...of, operationId: context.operationId };
      expect(await content(second)).toMatchObject({ template_id, channel_id: byThree.channel_id });
    });

    it('is not retried with a template that is gone by now', async () => {
      const of = await ready();
      await report(of, 'failed', { error: 'template_not_found' });
      world.missingTemplates.add(byThree.template_id);
      await expect(retryWithCurrent(of)).rejects.toMatchObject({ code: 'template_not_found' });
      world.missingTemplates.delete(byThree.template_id);
      expect(await rowOf(of.id)).toMatchObject({ status: 'failed', attempt: 1 });
    });

    it('is not retried without a template when it goes to a chat', async () => {
      const of = await ready();
      await report(of, 'failed', { error: 'template_not_found' });
      const destination_id = newId();
      world.destinations.add(destination_id);
      await change(of, { destination_id, template_id: null });
      await expect(retryWithCurrent(of)).rejects.toMatchObject({ code: 'invalid_state' });
    });

    it('is not retried while it is on its way, delivered, or of unknown outcome without a confirmation', async () => {
      const of = await ready();
      await expect(retry(of)).rejects.toMatchObject({ code: 'invalid_state' });
      await report(of, 'unknown');
      await expect(retry(of)).rejects.toMatchObject({ code: 'invalid_state' });
      expect(await retry(of, true)).toMatchObject({ status: 'ready' });
      const delivered = await ready();
      await report(delivered, 'delivered');
      await expect(retry(delivered, true)).rejects.toMatchObject({ code: 'invalid_state' });
    });
  });
});
