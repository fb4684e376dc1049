import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  type InputOf,
  jobSubjectOf,
  type Principal,
  recordEvent,
  type reportBatch as reportDeclaration,
  type updateQueue as updating,
} from '@stanza/contracts';
import { newContext, newId } from '@stanza/runtime';
import { runJob } from '@stanza/test-kit/service-world';
import { sharedByTests } from '@stanza/test-kit/shared';
import { deleteQueue } from '../operations/delete-queue.ts';
import { getBatch } from '../operations/get-batch.ts';
import { getBatchContent } from '../operations/get-batch-content.ts';
import { noteLeftOut } from '../operations/note-left-out.ts';
import { reportBatch } from '../operations/report-batch.ts';
import { retryBatch } from '../operations/retry-batch.ts';
import { updateQueue } from '../operations/update-queue.ts';
import { ask, byThree, newQueue, openWorld, pusher, rolling, somebody } from '../testing/world.ts';
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
  const world = sharedByTests(openWorld);
  let principal: Principal;

  beforeEach(() => {
    principal = somebody();
  });

  const rowOf = async (id: string): Promise<Row> => {
    const [row] = await world().rows<Row>('select * from batches where id = $1', [id]);
    if (!row) throw new Error('the batch does not exist');
    return row;
  };
  const handedOver = async (id: string): Promise<number> => {
    const rows = await world().rows(
      "select from outbox where subject = 'work.delivery.deliver-batch' and payload ->> 'batch_id' = $1",
      [id],
    );
    return rows.length;
  };
  const closedBy = async (policy: Parameters<typeof newQueue>[2], seconds: number[]): Promise<Row> => {
    const queue = await newQueue(world(), principal, policy);
    let id = '';
    for (const wait of seconds) {
      ({ batch_id: id } = await pusher(world())(principal, queue.id, [{}]));
      await closeBatches(world())();
      world().clock.passSeconds(wait);
    }
    await Promise.all([closeBatches(world())(), closeBatches(world())()]);
    return rowOf(id);
  };

  it('is closed after a quiet window, and handed over once by concurrent replicas', async () => {
    const row = await closedBy(rolling, [60]);
    expect(row).toMatchObject({ status: 'ready', close_reason: 'window_elapsed', attempt: 1 });
    expect(await handedOver(row.id)).toBe(1);
  });

  it('is closed at its maximum, though each push extended its window', async () => {
    const row = await closedBy(rolling, [50, 50, 50, 50, 50, 50]);
    expect(row).toMatchObject({ status: 'ready', close_reason: 'max_window' });
  });

  it('is closed after its longest wait when the threshold is not reached', async () => {
    const row = await closedBy({ ...byThree, max_wait_seconds: 30 }, [30]);
    expect(row).toMatchObject({ status: 'ready', close_reason: 'max_wait' });
  });

  it('stays open until it is due', async () => {
    expect(await closedBy(rolling, [59.9])).toMatchObject({ status: 'collecting' });
  });

  describe('during its delivery', () => {
    const ready = async () => {
      const queue = await newQueue(world(), principal, byThree);
      const { batch_id: id } = await pusher(world())(principal, queue.id, [{ n: 0 }, { n: 1 }, { n: 2 }]);
      return { queue, id, operationId: (await rowOf(id)).operation_id };
    };
    type Ready = Awaited<ReturnType<typeof ready>>;
    const owner = () => ({ organization_id: principal.organization_id, environment: principal.environment });
    const content = ({ id, operationId }: Ready) =>
      ask(getBatchContent(world()), { ...owner(), batch_id: id, operation_id: operationId }, principal);
    const report = (
      of: Ready,
      status: 'delivered' | 'failed' | 'unknown',
      more: Partial<InputOf<typeof reportDeclaration>> = {},
      operationId = of.operationId,
    ) =>
      runJob(reportBatch(world()), {
        ...owner(),
        batch_id: of.id,
        operation_id: operationId,
        status,
        ...more,
      });
    const retry = (
      of: Ready,
      confirm_not_posted = false,
      context = newContext({ deadlineMs: 5_000, principal }),
      use_current_template = false,
      attempt?: number,
    ) =>
      ask(
        retryBatch(world()),
        {
          params: { id: of.queue.id, batch_id: of.id },
          query: undefined,
          body: { confirm_not_posted, use_current_template, attempt },
        },
        principal,
        context,
      );
    const retryWithCurrent = (of: Ready, context = newContext({ deadlineMs: 5_000, principal })) =>
      retry(of, false, context, true);
    const change = (of: Ready, body: InputOf<typeof updating>['body']) =>
      ask(updateQueue(world()), { params: { id: of.queue.id }, query: undefined, body }, principal);

    it('tells each failure as an event, once however often it is reported', async () => {
      const of = await ready();
      for (const _ of [1, 2]) await report(of, 'failed', { error: 'insufficient_credits' });
      await retry(of);
      const { operation_id: again } = await rowOf(of.id);
      await report(of, 'failed', { error: 'destination_failed', error_details: 'no answer' }, again);
      const rows = await world().rows<{ payload: unknown }>(
        `select payload from outbox where subject = $1 and payload ->> 'subject' = $2 order by id`,
        [jobSubjectOf(recordEvent), of.id],
      );
      expect(rows.map(({ payload }) => recordEvent.input.parse(payload))).toMatchObject([
        {
          ...owner(),
          type: 'batch.failed',
          data: {
            batch_id: of.id,
            queue_id: of.queue.id,
            event_count: 3,
            attempt: 1,
            error: 'insufficient_credits',
          },
        },
        {
          data: { attempt: 2, error: 'destination_failed', error_details: 'no answer' },
          earlier: [{ event: { data: { attempt: 1 } } }],
        },
      ]);
    });

    it('A delivery of unknown outcome is an event of its batch: no other event says so', async () => {
      const of = await ready();
      await report(of, 'unknown', { error: 'delivery_outcome_unknown', delivery_id: newId() });
      const [row] = await world().rows<{ payload: unknown }>(
        `select payload from outbox where subject = $1 and payload ->> 'subject' = $2`,
        [jobSubjectOf(recordEvent), of.id],
      );
      expect(recordEvent.input.parse(row?.payload)).toMatchObject({
        type: 'batch.failed',
        data: { batch_id: of.id, error: 'delivery_outcome_unknown' },
      });
    });

    it('tells no other outcome as an event', async () => {
      for (const status of ['delivered', 'unknown'] as const) {
        const of = await ready();
        await report(of, status);
        expect(
          await world().rows(`select id from outbox where subject = $1 and payload ->> 'subject' = $2`, [
            jobSubjectOf(recordEvent),
            of.id,
          ]),
        ).toEqual([]);
      }
    });

    it('returns its events in order, with the policy with which it began', async () => {
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

    const leftOut = {
      count: 2,
      entries: [{ pointer: '/blocks/0', path: 'events[1]', message: 'the entry of `events[1]` is left out' }],
    };
    const noteOf = (of: Ready, operationId = of.operationId) =>
      runJob(noteLeftOut(world()), {
        ...owner(),
        batch_id: of.id,
        operation_id: operationId,
        left_out: leftOut,
      });
    const shown = (of: Ready) =>
      ask(
        getBatch(world()),
        {
          params: { id: of.queue.id, batch_id: of.id },
          query: { limit: 20, offset: 0 },
          body: undefined,
        },
        principal,
      );

    it('shows what its digest left out, told before its outcome or after', async () => {
      const [before, after] = [await ready(), await ready()];
      expect(await shown(before)).toMatchObject({ left_out: null });
      await noteOf(before);
      await report(before, 'delivered');
      await report(after, 'delivered');
      await noteOf(after);
      for (const one of [before, after]) {
        expect(await shown(one)).toMatchObject({ status: 'delivered', left_out: leftOut });
      }
    });

    it('forgets on a retry what the digest before left out, and takes no word of it then', async () => {
      const of = await ready();
      await noteOf(of);
      await report(of, 'failed', { error: 'chat_api_error' });
      expect(await shown(of)).toMatchObject({ left_out: leftOut });
      expect(await retry(of)).toMatchObject({ left_out: null });
      await noteOf(of);
      expect(await shown(of)).toMatchObject({ left_out: null });
    });

    it('takes its reported status, and ignores a second report', async () => {
      const of = await ready();
      await report(of, 'failed', { error: 'invalid_destination', error_details: 'not_in_channel' });
      await report(of, 'delivered');
      expect(await rowOf(of.id)).toMatchObject({ status: 'failed', error: 'invalid_destination' });
      await expect(content(of)).rejects.toMatchObject({ code: 'not_found' });
    });

    it('is delivered again when its message was not found and its queue asks for it, each time once, and three times at most', async () => {
      const queue = await newQueue(world(), principal, { ...byThree, on_unknown: 'repost' });
      const { batch_id: id } = await pusher(world())(principal, queue.id, [{ n: 0 }, { n: 1 }, { n: 2 }]);
      const of = { queue, id, operationId: '' };
      for (let attempt = 1; attempt <= 3; attempt++) {
        const { operation_id } = await rowOf(id);
        await report(of, 'unknown', {}, operation_id);
        expect(await rowOf(id)).toMatchObject({ status: 'unknown', attempt });
        await report(of, 'unknown', { not_found: true }, operation_id);
        await report(of, 'unknown', { not_found: true }, operation_id);
        expect(await rowOf(id)).toMatchObject({ status: 'ready', attempt: attempt + 1, error: null });
        await report(of, 'delivered', {}, operation_id);
        expect(await rowOf(id)).toMatchObject({ status: 'ready' });
      }
      const { operation_id } = await rowOf(id);
      // The report that it was not found overtakes that of the outcome.
      await report(of, 'unknown', { not_found: true }, operation_id);
      expect(await rowOf(id)).toMatchObject({ status: 'unknown', attempt: 4, operation_id });
    });

    const reposting = async (): Promise<Ready> => {
      const queue = await newQueue(world(), principal, { ...byThree, on_unknown: 'repost' });
      const { batch_id: id } = await pusher(world())(principal, queue.id, [{ n: 0 }, { n: 1 }, { n: 2 }]);
      return { queue, id, operationId: (await rowOf(id)).operation_id };
    };

    it('is delivered again also after failures that a person has retried', async () => {
      const of = await reposting();
      for (let failure = 1; failure <= 4; failure++) {
        const { operation_id } = await rowOf(of.id);
        await report(of, 'failed', { error: 'insufficient_credits' }, operation_id);
        await retry(of);
      }
      const { operation_id } = await rowOf(of.id);
      await report(of, 'unknown', { not_found: true }, operation_id);
      expect(await rowOf(of.id)).toMatchObject({ status: 'ready', attempt: 6 });
    });

    it.each([
      ['holds now', (of: Ready) => change(of, { on_unknown: 'hold' })],
      ['is inactive now', (of: Ready) => change(of, { is_active: false })],
      [
        'is deleted',
        (of: Ready) =>
          ask(
            deleteQueue(world()),
            { params: { id: of.queue.id }, query: undefined, body: undefined },
            principal,
          ),
      ],
    ])('is not delivered again when its queue %s', async (_now, become) => {
      const of = await reposting();
      await report(of, 'unknown');
      await become(of);
      await report(of, 'unknown', { not_found: true });
      expect(await rowOf(of.id)).toMatchObject({ status: 'unknown', attempt: 1 });
    });

    it('stays unknown when it was delivered again and that failed, until a person answers for it', async () => {
      const of = await reposting();
      await report(of, 'unknown', { not_found: true });
      const { operation_id: second } = await rowOf(of.id);
      for (const _ of [1, 2])
        await report(of, 'failed', { error: 'template_not_found', error_details: 'It is gone.' }, second);
      expect(await rowOf(of.id)).toMatchObject({
        status: 'unknown',
        attempt: 2,
        error: 'template_not_found',
        error_details: expect.stringMatching(/unknown outcome.*It is gone\./),
      });
      const told = 'select id from outbox where subject = $1 and payload ->> $2 = $3';
      expect(await world().rows(told, [jobSubjectOf(recordEvent), 'subject', of.id])).toEqual([]);
      await expect(retry(of)).rejects.toMatchObject({ code: 'invalid_state' });
      expect(await retry(of, true)).toMatchObject({ status: 'ready', attempt: 3 });
      const { operation_id: third } = await rowOf(of.id);
      await report(of, 'failed', { error: 'template_not_found' }, third);
      expect(await rowOf(of.id)).toMatchObject({ status: 'failed', error_details: null });
    });

    it('is held when its message was not found, unless its queue asks otherwise', async () => {
      const of = await ready();
      await report(of, 'unknown', { not_found: true });
      expect(await rowOf(of.id)).toMatchObject({ status: 'unknown', attempt: 1 });
    });

    it('turns from unknown into delivered when its message is found later', async () => {
      const of = await ready();
      await report(of, 'unknown');
      await report(of, 'delivered', { message_id: newId() });
      expect(await rowOf(of.id)).toMatchObject({ status: 'delivered' });
    });

    it('turns from failed into delivered when its delivery is replayed', async () => {
      const of = await ready();
      const delivery_id = newId();
      await report(of, 'failed', { error: 'destination_failed', delivery_id });
      await report(of, 'delivered', { delivery_id });
      expect(await rowOf(of.id)).toMatchObject({ status: 'delivered', error: null, delivery_id });
      await expect(retry(of)).rejects.toMatchObject({ code: 'invalid_state' });
    });

    it('is retried as a new delivery, once per operation, and ignores reports of the old one', async () => {
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

    it('is not retried a second time by one look into the channel, whose first answer was lost', async () => {
      const of = await ready();
      await report(of, 'unknown');
      const again = (attempt: number) =>
        retry(of, true, newContext({ deadlineMs: 5_000, principal }), false, attempt);
      const { attempt } = await again(1);
      expect(attempt).toBe(2);
      const { operation_id } = await rowOf(of.id);
      await report(of, 'unknown', {}, String(operation_id));
      await expect(again(1)).rejects.toMatchObject({
        code: 'invalid_state',
        message: expect.stringContaining('attempt 2'),
      });
      expect(await handedOver(of.id)).toBe(2);
      expect(await again(2)).toMatchObject({ attempt: 3 });
    });

    it("is retried with its original template, or on request with the queue's current one", async () => {
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

    it('is not retried with a deleted template', async () => {
      const of = await ready();
      await report(of, 'failed', { error: 'template_not_found' });
      world().missingTemplates.add(byThree.template_id);
      await expect(retryWithCurrent(of)).rejects.toMatchObject({ code: 'template_not_found' });
      world().missingTemplates.delete(byThree.template_id);
      expect(await rowOf(of.id)).toMatchObject({ status: 'failed', attempt: 1 });
    });

    it('is not retried when its queue is deleted after the retry has read it', async () => {
      const of = await ready();
      await report(of, 'failed', { error: 'template_not_found' });
      const { database } = world();
      jest.spyOn(database, 'transaction').mockImplementationOnce(async (work) => {
        await ask(deleteQueue(world()), { params: { id: of.queue.id } }, principal);
        return database.transaction(work);
      });
      await expect(retry(of)).rejects.toMatchObject({ code: 'not_found' });
      expect(await rowOf(of.id)).toMatchObject({ status: 'failed', attempt: 1 });
      expect(await handedOver(of.id)).toBe(1);
    });

    it('is not retried without a template when it goes to a chat', async () => {
      const of = await ready();
      await report(of, 'failed', { error: 'template_not_found' });
      const destination_id = newId();
      world().destinations.add(destination_id);
      await change(of, { destination_id, template_id: null });
      await expect(retryWithCurrent(of)).rejects.toMatchObject({ code: 'invalid_state' });
    });

    it('is not retried while it is in flight or delivered, nor of unknown outcome without a confirmation', async () => {
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
