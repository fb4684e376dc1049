import { describe, expect, it } from '@jest/globals';
import {
  CodedError,
  listMessages as declaration,
  idempotencyKeyDigest,
  messagesLookedAt,
  type Principal,
} from '@stanza/contracts';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import { ask, openWorld, somebody } from '../testing/world.ts';
import { listMessages } from './list-messages.ts';

const minuteMs = 60_000;
const noon = Date.parse('2026-11-20T12:00:00.000Z');
const at = (minutes: number): Date => new Date(noon + minutes * minuteMs);

/** What of a message a filter may ask for. */
interface Given {
  madeAt?: Date;
  status?: string;
  /** When the clock that made its id stood; `madeAt` unless it was off. */
  idAt?: Date;
  template_id?: string;
  version_id?: string;
  channel_id?: string | null;
  channel?: string;
  recipient_email?: string;
  recipient_chat_id?: string;
  origin?: string;
  test?: boolean;
  operation_id?: string;
  item?: number;
  key_digest?: string;
}

/** The charge of a message, which has the next id of that moment. */
const chargeOf = (id: string): string => id.replace(/.{12}$/, 'ffffffffffff');

describe('a search of the message log', () => {
  const world = sharedByTests(openWorld);

  const insert = async ({ organization_id, environment }: Principal, given: Given): Promise<string> => {
    const { madeAt = at(0), idAt = madeAt, ...columns } = given;
    const row = {
      status: 'sent',
      template_id: uuidv7(),
      version_id: uuidv7(),
      channel_id: columns.recipient_email || columns.recipient_chat_id ? null : 'C1',
      channel: null,
      recipient_email: null,
      recipient_chat_id: null,
      origin: 'send',
      test: false,
      operation_id: uuidv7(),
      item: 0,
      key_digest: null,
      ...columns,
    };
    const id = uuidv7({ msecs: idAt.getTime() });
    const isOpen = row.status === 'accepted';
    await world().rows(
      `insert into messages
         (organization_id, environment, id, operation_id, template_id, version_id, version_number, channel_id,
          channel, recipient_email, recipient_chat_id, origin, test, workspace_id, status, credit_log_id, charged,
          remaining_credits, warnings, fields_truncated, attempts, request_id, actor_id, deadline_at, created_at,
          updated_at, item, key_digest)
       values ($1, $2, $3, $4, $5, $6, 1, $7, $8, $9, $10, $11, $12, 'T1', $13, $14, $15, 1, '[]', 0, '[]',
         'request', 'actor', $16, $16, $16, $17, $18)`,
      [
        organization_id,
        environment,
        id,
        row.operation_id,
        row.template_id,
        row.version_id,
        row.channel_id,
        row.channel,
        row.recipient_email,
        row.recipient_chat_id,
        row.origin,
        row.test,
        row.status,
        chargeOf(id),
        isOpen ? null : row.status === 'sent',
        madeAt,
        row.item,
        row.key_digest,
      ],
    );
    return id;
  };
  const list = (who: Principal, query: object) =>
    ask(listMessages(world()), { query: { limit: 20, offset: 0, ...query } }, who);
  const ids = async (who: Principal, query: object) => (await list(who, query)).data.map((it) => it.id);

  it('is read from the connections of reports, and a plain list is not', async () => {
    const principal = somebody();
    const message = await insert(principal, { channel: 'C7' });
    const refuse = () => Promise.reject(new CodedError('service_unavailable'));
    const refusing = { query: refuse, transaction: refuse };
    const listOf = (dependencies: Parameters<typeof listMessages>[0], query: object) =>
      ask(listMessages(dependencies), { query: { limit: 20, offset: 0, ...query } }, principal);
    const listWithoutReports = (query: object) => listOf({ ...world(), reports: refusing }, query);
    const listFromReports = (query: object) =>
      listOf({ ...world(), database: { ...world().database, ...refusing } }, query);
    const found = { data: [{ id: message }] };
    for (const plain of [{}, { status: 'sent' }]) {
      expect(await listWithoutReports(plain)).toMatchObject(found);
      await expect(listFromReports(plain)).rejects.toMatchObject({ code: 'service_unavailable' });
    }
    for (const search of [{ channel: 'C7' }, { from: at(-60).toISOString() }]) {
      expect(await listFromReports(search)).toMatchObject(found);
      await expect(listWithoutReports(search)).rejects.toMatchObject({ code: 'service_unavailable' });
    }
  });

  it('finds by channel, recipient, version, key of the template, origin and test, and by all of them', async () => {
    const principal = somebody();
    const wanted = { template_id: uuidv7(), version_id: uuidv7(), origin: 'batch', test: true };
    world().others.answers.keys.set('deploys', wanted.template_id);
    const person = await insert(principal, {
      ...wanted,
      recipient_email: 'Ada@Example.com',
      channel: 'D0ADA',
    });
    const byChatId = await insert(principal, { recipient_chat_id: 'U0ADA', status: 'failed' });
    const channel = await insert(principal, { channel_id: 'C7', channel: 'C7' });
    const neverPosted = await insert(principal, { channel_id: 'C7', status: 'failed' });

    expect(await ids(principal, { channel: 'D0ADA' })).toEqual([person]);
    expect((await ids(principal, { channel: 'C7' })).sort()).toEqual([channel, neverPosted].sort());
    expect(await ids(principal, { recipient: 'ada@example.com' })).toEqual([person]);
    expect(await ids(principal, { recipient: 'U0ADA' })).toEqual([byChatId]);
    expect(await ids(principal, { version_id: wanted.version_id })).toEqual([person]);
    expect(await ids(principal, { template_key: 'deploys' })).toEqual([person]);
    expect(await ids(principal, { template_key: 'nothing' })).toEqual([]);
    expect(await ids(principal, { origin: 'batch' })).toEqual([person]);
    expect(await ids(principal, { test: 'true' })).toEqual([person]);
    expect(await ids(principal, { test: 'false' })).toHaveLength(3);
    expect(await ids(principal, { test: 'false', status: 'failed', channel: 'C7' })).toEqual([neverPosted]);
    const { template_id, version_id } = wanted;
    const all = { template_id, version_id, status: 'sent', channel: 'D0ADA', recipient: 'ada@example.com' };
    expect(await ids(principal, { ...all, origin: 'batch', test: 'true' })).toEqual([person]);
    expect(await ids(principal, { ...all, origin: 'send' })).toEqual([]);
    expect(await ids(principal, { template_key: 'deploys', template_id: uuidv7() })).toEqual([]);
    for (const other of [somebody(), { ...principal, environment: 'preview' as const }]) {
      expect(await ids(other, { channel: 'C7' })).toEqual([]);
    }
  });

  it('finds by charge and by key, together with each other and with all else', async () => {
    const principal = somebody();
    const operation = { operation_id: uuidv7(), key_digest: idempotencyKeyDigest(principal, 'order 17') };
    const [first = '', second = '', other = ''] = [
      await insert(principal, { ...operation, channel: 'C7', template_id: operation.operation_id }),
      await insert(principal, { ...operation, item: 1, channel: 'C7' }),
      await insert(principal, { channel: 'C7', key_digest: idempotencyKeyDigest(principal, 'order 18') }),
    ];
    const failed = await insert(principal, { channel: 'C7', status: 'failed' });
    const key = { idempotency_key: 'order 17' };
    const charge = { credit_log_id: chargeOf(second) };
    for (const rest of [{}, { channel: 'C7' }, { channel: 'C7', status: 'sent' }]) {
      expect(await ids(principal, { ...rest, ...key })).toEqual([first, second].toSorted().toReversed());
      expect(await ids(principal, { ...rest, ...charge })).toEqual([second]);
      expect(await ids(principal, { ...rest, ...key, ...charge })).toEqual([second]);
      expect(await ids(principal, { ...rest, ...key, credit_log_id: chargeOf(other) })).toEqual([]);
      expect(await ids(principal, { ...rest, credit_log_id: chargeOf(failed) })).toEqual([]);
    }
    expect(await ids(principal, { ...key, template_id: operation.operation_id })).toEqual([first]);
    expect(await ids({ ...principal, environment: 'preview' }, charge)).toEqual([]);
    expect(await ids({ ...principal, environment: 'preview' }, key)).toEqual([]);
  });

  it('finds by time, the beginning included and the end not, though the clock that made the id was off', async () => {
    const principal = somebody();
    const first = await insert(principal, { madeAt: at(0) });
    const second = await insert(principal, { madeAt: at(10), idAt: at(7) });
    const third = await insert(principal, { madeAt: at(20) });
    const range = (from: number | undefined, to: number | undefined) => ({
      ...(from !== undefined && { from: at(from).toISOString() }),
      ...(to !== undefined && { to: at(to).toISOString() }),
    });
    expect(await ids(principal, range(10, 20))).toEqual([second]);
    expect(await ids(principal, range(11, undefined))).toEqual([third]);
    expect(await ids(principal, range(undefined, 10))).toEqual([first]);
    expect(await ids(principal, range(20, 20))).toEqual([]);
  });

  it('goes on before a message without drifting while others arrive, and ends', async () => {
    const principal = somebody();
    const made: string[] = [];
    for (const minute of [0, 1, 2, 3, 4]) made.push(await insert(principal, { madeAt: at(minute) }));
    const seen: string[] = [];
    let page = await list(principal, { limit: 2 });
    for (let minute = 10; page.next_cursor; minute++) {
      seen.push(...page.data.map((it) => it.id));
      await insert(principal, { madeAt: at(minute) });
      page = await list(principal, { limit: 2, cursor: page.next_cursor });
    }
    seen.push(...page.data.map((it) => it.id));
    expect(seen).toEqual(made.reverse());
  });

  it('goes from the oldest on by each of its walks, without drifting while others arrive, and ends', async () => {
    const principal = somebody();
    const template_id = uuidv7();
    const operation = { operation_id: uuidv7(), key_digest: idempotencyKeyDigest(principal, 'order 17') };
    const made: string[] = [];
    for (const minute of [0, 1, 2, 3, 4])
      made.push(
        await insert(principal, {
          ...operation,
          item: minute,
          template_id,
          status: 'failed',
          madeAt: at(minute),
        }),
      );
    for (const filter of [{}, { template_id }, { status: 'failed' }, { idempotency_key: 'order 17' }]) {
      const query = { ...filter, sort: 'created_at', limit: 2 };
      const seen: string[] = [];
      let page = await list(principal, query);
      expect(page.pagination).toEqual({ offset: 0, limit: 2, total: 5 });
      for (let more = 0; page.next_cursor; more++) {
        seen.push(...page.data.map((it) => it.id));
        page = await list(principal, { ...query, cursor: page.next_cursor });
        expect(more).toBeLessThan(5);
      }
      expect([...seen, ...page.data.map((it) => it.id)]).toEqual(made);
    }
    expect(await ids(principal, { sort: 'created_at', offset: 3 })).toEqual(made.slice(3));
    expect(await ids(principal, { sort: '-created_at' })).toEqual(made.toReversed());
    const last = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
    expect(await ids(principal, { sort: 'created_at', cursor: last })).toEqual([]);
  });

  it('looks at a bounded number of messages, says where it stopped, and goes on there', async () => {
    const principal = somebody();
    const { organization_id } = principal;
    const oldest = await insert(principal, { madeAt: at(-1_000), channel_id: 'C9' });
    await world().rows(
      `insert into messages
         (organization_id, environment, id, operation_id, item, template_id, version_id, version_number, channel_id,
          workspace_id, status, credit_log_id, charged, remaining_credits, warnings, fields_truncated, attempts,
          request_id, actor_id, deadline_at, created_at, updated_at)
       select $1, 'production', uuidv7(), gen_random_uuid(), 0, $1, $1, 1, 'C1', 'T1', 'sent', gen_random_uuid(),
         true, 1, '[]', 0, '[]', 'request', 'actor', now(), now(), now()
       from generate_series(1, $2)`,
      [organization_id, messagesLookedAt],
    );
    const first = await list(principal, { channel: 'C9' });
    expect(first).toMatchObject({ data: [], pagination: { total: 0 }, next_before: expect.any(String) });
    const second = await list(principal, { channel: 'C9', before: first.next_before });
    expect(second.data.map((it) => it.id)).toEqual([oldest]);
    expect(second).toMatchObject({ pagination: { total: 1 }, next_before: null });
  });

  it.each([
    [{ from: at(2).toISOString(), to: at(1).toISOString() }, ['from']],
    [{ before: uuidv7(), offset: '1' }, ['offset']],
  ])('is refused where its filters contradict each other: %j', (query, path) => {
    expect(declaration.query?.safeParse(query).error?.issues).toMatchObject([{ code: 'custom', path }]);
  });
});
