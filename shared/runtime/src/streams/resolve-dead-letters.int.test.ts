import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  eraseOrganization,
  listDeadLetters,
  messageSubjectOf,
  organizationErased,
  resolveDeadLetter,
  settleReservation,
  workSubjectOf,
} from '@stanza/contracts';
import { systemClock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { eraseOrganizations } from '../database/erasure.ts';
import { statement } from '../database/statement.ts';
import { newId } from '../id.ts';
import { silentLogger } from '../observability/log.ts';
import { noTracing } from '../observability/tracing.ts';
import { newContext } from '../rpc/context.ts';
import type { AnyHandler } from '../rpc/handler.ts';
import { connectTo, provisionSchema, startTestPostgres, type TestPostgres } from '../testing/postgres.ts';
import { emptyTables, rowsOf, seedOf, someWork } from '../testing/streams.ts';
import { consume, UnfinishedWork, type WorkConsumer } from './consume.ts';
import { buryMessage } from './dead-letters.ts';
import { createOutbox } from './outbox.ts';
import { listingDeadLetters, resolvingDeadLetter } from './resolve-dead-letters.ts';

const insertNote = statement<object>('test-note', 'insert into notes (id, text) values ($1, $2)');
const allNotes = statement<{ text: string }>('test-all-notes', 'select text from notes order by id');
const openLetters = statement<{ id: string }>('test-letters', 'select id from dead_letters order by id');

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
  await database.orm.query('delete from notes');
});

const call = (handler: AnyHandler, input: unknown): Promise<unknown> =>
  handler.serve({
    json: JSON.stringify(input),
    context: newContext({ deadlineMs: 5_000 }),
    signal: () => new AbortController().signal,
    log: silentLogger,
  });

/** Does the work by writing a note with its id, once `fault` throws nothing. */
const noting = (fault: () => void = () => undefined): WorkConsumer =>
  consume(settleReservation, async (work, tx, { id }) => {
    await tx.query(insertNote, [seedOf(work), id]);
    fault();
  });

const resolver = (...consumers: WorkConsumer[]): AnyHandler =>
  resolvingDeadLetter(resolveDeadLetter.organization, {
    database,
    clock: systemClock,
    log: silentLogger(),
    consumers,
  });

const list = (input: object = {}) =>
  call(listingDeadLetters(listDeadLetters.organization, { database }), input);

const notes = async () => (await database.query(allNotes)).map(({ text }) => text);

/** Buries a message, and returns the ids of the message and of the letter. */
const bury = async (more: { subject?: string; payload?: string } = {}) => {
  const messageId = newId();
  await buryMessage(database, {
    messageId,
    subject: messageSubjectOf(settleReservation),
    payload: JSON.stringify(someWork(1)),
    reason: 'Error: no such account',
    deliveries: 12,
    ...more,
  });
  const [letter] = (await database.query(openLetters)).slice(-1);
  return { messageId, id: letter?.id ?? '' };
};

describe('a dead letter', () => {
  it('is listed without its payload, and shown with it', async () => {
    const { id, messageId } = await bury();
    const facts = {
      id,
      message_id: messageId,
      reason: 'Error: no such account',
      deliveries: 12,
      resolved_at: null,
    };
    expect(await list()).toEqual({ dead_letters: [expect.objectContaining(facts)] });
    expect(JSON.stringify(await list())).not.toContain('payload');
    expect(await list({ id })).toMatchObject({
      dead_letters: [{ id, payload: JSON.stringify(someWork(1)) }],
    });
  });

  it('is replayed once, under the id of its message, however often it is requested', async () => {
    const { id, messageId } = await bury();
    const ask = () => call(resolver(noting()), { id, how: 'replay' });
    expect(await ask()).toEqual({ result: 'replayed' });
    expect(await ask()).toEqual({ result: 'resolved_before' });
    expect(await notes()).toEqual([messageId]);
    expect(await list()).toEqual({ dead_letters: [] });
    expect(await list({ resolved: true })).toMatchObject({ dead_letters: [{ id }] });
  });

  it('is replayed once by two concurrent requests', async () => {
    const { id, messageId } = await bury();
    const handler = resolver(noting());
    const asked = await Promise.allSettled([1, 2, 3].map(() => call(handler, { id, how: 'replay' })));
    expect(asked.some((it) => it.status === 'fulfilled')).toBe(true);
    expect(await notes()).toEqual([messageId]);
  });

  it('stays when its work fails again, and leaves no partial writes', async () => {
    const { id } = await bury();
    const failing = noting(() => {
      throw new Error('still no such account');
    });
    await expect(call(resolver(failing), { id, how: 'replay' })).rejects.toMatchObject({
      code: 'invalid_state',
      message: 'It failed again, and stays where it is: Error: still no such account',
    });
    expect(await notes()).toEqual([]);
    expect(await list()).toMatchObject({ dead_letters: [{ id }] });
  });

  it('is discarded without its work', async () => {
    const { id } = await bury();
    expect(await call(resolver(noting()), { id, how: 'discard' })).toEqual({ result: 'discarded' });
    expect(await call(resolver(noting()), { id, how: 'replay' })).toEqual({ result: 'resolved_before' });
    expect(await notes()).toEqual([]);
  });

  it('may be erased by its own work', async () => {
    const { id } = await bury();
    const erasing = consume(settleReservation, async () => {
      await database.orm.query('delete from dead_letters');
    });
    expect(await call(resolver(erasing), { id, how: 'replay' })).toEqual({ result: 'replayed' });
    expect(await list({ id })).toEqual({ dead_letters: [] });
  });

  it('of an erasure, which deletes the letters of the organization, reports it when it is replayed', async () => {
    const organization_id = newId();
    const work = eraseOrganization.template;
    const { id } = await bury({
      subject: messageSubjectOf(work),
      payload: JSON.stringify({ organization_id }),
    });
    const outbox = createOutbox({ service: 'template', tracing: noTracing, poke: () => undefined });
    const erasing = eraseOrganizations('template', { database, outbox, log: silentLogger() });
    expect(await call(resolver(erasing), { id, how: 'replay' })).toEqual({ result: 'replayed' });
    expect(await list({ id })).toEqual({ dead_letters: [] });
    expect(await rowsOf(database)).toMatchObject([{ subject: messageSubjectOf(organizationErased) }]);
  });

  it.each([
    ['of long work', messageSubjectOf(settleReservation)],
    [
      'of long work that the previous version has buried',
      workSubjectOf(messageSubjectOf(settleReservation), newId()),
    ],
  ])('%s is prepared before its work is done', async (_what, subject) => {
    const { id } = await bury({ subject });
    const done: string[] = [];
    const prepared = consume(settleReservation, async () => void done.push('done'), {
      prepare: async () => {
        done.push('prepared');
        if (done.length === 1) throw new UnfinishedWork('2,000 rows were erased, and there are more');
      },
    });
    const ask = () => call(resolver(prepared), { id, how: 'replay' });
    await expect(ask()).rejects.toMatchObject({
      code: 'invalid_state',
      message: 'The work is not finished; replay it again: 2,000 rows were erased, and there are more.',
    });
    expect(await ask()).toEqual({ result: 'replayed' });
    expect(done).toEqual(['prepared', 'prepared', 'done']);
  });

  it.each([
    ['of work without a consumer', { subject: 'work.organization.gone' }, 'Nothing here does the work'],
    ['that is not JSON', { payload: '{' }, 'It failed again'],
    ['of another shape', { payload: '{}' }, 'It failed again'],
  ])('%s stays until it is discarded', async (_what, more, message) => {
    const { id } = await bury(more);
    await expect(call(resolver(noting()), { id, how: 'replay' })).rejects.toMatchObject({
      code: 'invalid_state',
      message: expect.stringContaining(message),
    });
    expect(await call(resolver(noting()), { id, how: 'discard' })).toEqual({ result: 'discarded' });
  });

  it('that is not there is not found', async () => {
    await expect(call(resolver(noting()), { id: newId(), how: 'replay' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
