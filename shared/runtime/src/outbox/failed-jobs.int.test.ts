import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  eraseOrganization,
  jobSubjectOf,
  listDeadLetters,
  organizationErased,
  recordEvent,
  resolveDeadLetter,
  settleReservation,
} from '@stanza/contracts';
import type { Database } from '../database/database.ts';
import { statement } from '../database/statement.ts';
import { newId } from '../id.ts';
import { silentLogger } from '../observability/log.ts';
import { noTracing } from '../observability/tracing.ts';
import { eraseOrganizations } from '../process/erasure.ts';
import { newContext } from '../rpc/context.ts';
import { type AnyHandler, handle } from '../rpc/handler.ts';
import { emptyTables, rowsOf, someWork } from '../testing/jobs.ts';
import { connectTo, provisionSchema, startTestPostgres, type TestPostgres } from '../testing/postgres.ts';
import { type Discard, whenDiscarded } from './discards.ts';
import { forgetFailedJobs, listingDeadLetters, resolvingDeadLetter } from './failed-jobs.ts';
import { createOutbox } from './outbox.ts';

const insertLetter = statement<object>(
  'test-letter',
  `insert into dead_letters (id, message_id, subject, payload, reason, deliveries)
   values ($1, $2, $3, $4, 'Error: no such account', 12)`,
);

let postgres: TestPostgres;
let database: Database;

beforeAll(async () => {
  postgres = await startTestPostgres();
  database = await connectTo(await provisionSchema(postgres.url, 'organization'), 'organization');
});
afterAll(async () => {
  await database.close();
  await postgres.close();
});
beforeEach(async () => {
  await emptyTables(database);
});

const call = async (handler: AnyHandler, input: unknown): Promise<unknown> => {
  const reply = await handler.serve({
    json: JSON.stringify(input),
    context: newContext({ deadlineMs: 5_000 }),
    signal: () => new AbortController().signal,
    log: silentLogger,
  });
  return JSON.parse(reply);
};

const resolver = (
  handlers: AnyHandler[] = [],
  wake: (job: string) => void = () => undefined,
  discards: Discard[] = [],
): AnyHandler =>
  resolvingDeadLetter(resolveDeadLetter.organization, {
    service: 'organization',
    database,
    log: silentLogger(),
    handlers,
    discards,
    wake,
  });

const list = (input: object = {}) =>
  call(listingDeadLetters(listDeadLetters.organization, { database }), input);

const resolveDaysAgo = statement<object>(
  'test-letter-resolved',
  "update dead_letters set resolved_at = clock_timestamp() - $2 * interval '1 day' where id = $1",
);

/** A call that organization could not make. */
const ownSubject = jobSubjectOf(recordEvent);

/** Writes a failed job, and returns the ids of its row in the outbox and of itself. */
const fail = async (more: { subject?: string; payload?: string } = {}) => {
  const [id, messageId] = [newId(), newId()];
  const { subject = ownSubject, payload = JSON.stringify(someWork(1)) } = more;
  await database.query(insertLetter, [id, messageId, subject, payload]);
  return { id, messageId };
};

describe('a failed job', () => {
  it('a failed job is listed without its payload and shown with it', async () => {
    const { id, messageId } = await fail();
    const facts = { id, message_id: messageId, reason: 'Error: no such account', deliveries: 12 };
    expect(await list()).toEqual({
      dead_letters: [expect.objectContaining({ ...facts, resolved_at: null })],
    });
    expect(JSON.stringify(await list())).not.toContain('payload');
    expect(await list({ id })).toMatchObject({
      dead_letters: [{ id, payload: JSON.stringify(someWork(1)) }],
    });
  });

  it('returns to the outbox once, under the id of its row, however often that is requested', async () => {
    const { id, messageId } = await fail();
    const woken: string[] = [];
    const handler = resolver([], (job) => woken.push(job));
    const results = await Promise.allSettled([1, 2, 3].map(() => call(handler, { id, how: 'replay' })));
    expect(results.some((it) => it.status === 'fulfilled')).toBe(true);
    expect(await call(handler, { id, how: 'replay' })).toEqual({ result: 'resolved_before' });
    expect(await rowsOf(database)).toEqual([{ id: messageId, attempt: 0, subject: ownSubject }]);
    expect(new Set(woken)).toEqual(new Set(['outbox']));
    expect(await list()).toEqual({ dead_letters: [] });
    expect(await list({ resolved: true })).toMatchObject({ dead_letters: [{ id }] });
  });

  it('a failed job is discarded without a call', async () => {
    const { id } = await fail();
    expect(await call(resolver(), { id, how: 'discard' })).toEqual({ result: 'discarded' });
    expect(await call(resolver(), { id, how: 'replay' })).toEqual({ result: 'resolved_before' });
    expect(await rowsOf(database)).toEqual([]);
  });

  it('A failed job is discarded together with what follows, once, or not at all', async () => {
    const subject = jobSubjectOf(eraseOrganization.template);
    const seen: unknown[] = [];
    const following = (error?: Error) => [
      whenDiscarded(eraseOrganization.template, async (tx, input) => {
        await tx.query(resolveDaysAgo, [other.id, 0]);
        seen.push(input);
        if (error) throw error;
      }),
    ];
    const input = { organization_id: newId() };
    const [{ id }, other] = [await fail({ subject, payload: JSON.stringify(input) }), await fail()];
    const failing = call(resolver([], undefined, following(new Error('away'))), { id, how: 'discard' });
    await expect(failing).rejects.toThrow('away');
    expect(await list()).toMatchObject({ dead_letters: [{ id }, { id: other.id }] });
    for (const result of ['discarded', 'resolved_before'])
      expect(await call(resolver([], undefined, following()), { id, how: 'discard' })).toEqual({ result });
    expect(seen).toEqual([input, input]);
    expect(await list()).toEqual({ dead_letters: [] });
  });

  it('A failed job is discarded whose input only another version reads', async () => {
    const subject = jobSubjectOf(eraseOrganization.template);
    const { id } = await fail({ subject, payload: '{}' });
    const unread = whenDiscarded(eraseOrganization.template, () => Promise.reject(new Error('it was read')));
    const discarding = call(resolver([], undefined, [unread]), { id, how: 'discard' });
    expect(await discarding).toEqual({ result: 'discarded' });
  });

  it('a dead letter is deleted a month after an operator has resolved it, and not before', async () => {
    const [open, late, old] = [await fail(), await fail(), await fail()];
    await database.query(resolveDaysAgo, [late.id, 29]);
    await database.query(resolveDaysAgo, [old.id, 31]);
    await forgetFailedJobs(database);
    expect(await list()).toMatchObject({ dead_letters: [{ id: open.id }] });
    expect(await list({ resolved: true })).toMatchObject({ dead_letters: [{ id: late.id }] });
    expect(await list({ id: old.id })).toEqual({ dead_letters: [] });
  });

  it('stays until it is discarded when this version does not know it', async () => {
    const { id } = await fail({ subject: 'work.organization.gone' });
    await expect(call(resolver(), { id, how: 'replay' })).rejects.toMatchObject({
      code: 'invalid_state',
      message: 'Unknown job in this version: work.organization.gone; discard it.',
    });
    expect(await call(resolver(), { id, how: 'discard' })).toEqual({ result: 'discarded' });
  });

  it('a failed job that does not exist answers not_found', async () => {
    const asked = call(resolver(), { id: newId(), how: 'replay' });
    await expect(asked).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a failed job that a receiver of the previous version has kept', () => {
  const subject = jobSubjectOf(settleReservation);

  it.each([subject, `${subject}.${newId()}`])('is done by the receiver itself: %s', async (kept) => {
    const { id, messageId } = await fail({ subject: kept });
    const done: unknown[] = [];
    const settling = handle(settleReservation, async ({ input, context }) => {
      done.push([context.operationId, input]);
      return {};
    });
    expect(await call(resolver([settling]), { id, how: 'replay' })).toEqual({ result: 'replayed' });
    expect(done).toEqual([[messageId, someWork(1)]]);
  });

  it.each(['{', '{}'])('stays when it fails again: %s', async (payload) => {
    const { id } = await fail({ subject, payload });
    const settling = handle(settleReservation, async () => ({}));
    await expect(call(resolver([settling]), { id, how: 'replay' })).rejects.toMatchObject({
      code: 'invalid_state',
      message: expect.stringContaining('It failed again, and stays where it is'),
    });
    expect(await list()).toMatchObject({ dead_letters: [{ id }] });
  });

  it('the erasure of an organization erases its failed jobs and reports the end', async () => {
    const organization_id = newId();
    const { id } = await fail({
      subject: jobSubjectOf(eraseOrganization.template),
      payload: JSON.stringify({ organization_id }),
    });
    const outbox = createOutbox({
      service: 'template',
      tracing: noTracing,
      wake: () => undefined,
      run: () => undefined,
    });
    const erasing = eraseOrganizations('template', { database, outbox, log: silentLogger() });
    expect(await call(resolver([erasing]), { id, how: 'replay' })).toEqual({ result: 'replayed' });
    expect(await list({ id })).toEqual({ dead_letters: [] });
    expect(await rowsOf(database)).toMatchObject([{ subject: jobSubjectOf(organizationErased) }]);
  });
});
