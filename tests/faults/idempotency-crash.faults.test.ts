import { describe, expect, it } from '@jest/globals';
import {
  getCredits,
  listAuditLog,
  listIdempotencyRecords,
  listMessages,
  releaseIdempotencyRecord,
  sendTemplate,
  settleIdempotencyRecord,
} from '@stanza/contracts';
import { v7 } from 'uuid';
import type { Api, ApiAnswer } from '../kit/api.ts';
import { startOwnStackWith } from '../kit/own-stack.ts';
import { sharedByTests } from '../kit/shared.ts';
import { withLiveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

const compilePath = '/v1/templates/compile';
const sendPath = '/v1/templates/send';
/** Milliseconds that the platform takes for a post, long enough for a kill in between. */
const postMs = 6_000;

let lastChannel = 1_400;
const newChannel = (): string => {
  lastChannel += 1;
  return `C${lastChannel}`;
};

describe('a keyed request whose gateway or broker dies', () => {
  /** One gateway dies; the other answers meanwhile, since the start of a process may take longer than a post does. */
  const own = sharedByTests(() =>
    withLiveTemplate(startOwnStackWith('keyed', { credits: 100 }, { replicas: { gateway: 2 } })),
  );

  const postTo = (api: Api, path: string, key: string, body: object): Promise<ApiAnswer> =>
    api.post(
      path,
      { template_id: own().template.id, data: {}, ...body },
      { headers: { 'idempotency-key': key } },
    );

  const post = (path: string, key: string, body: object) => postTo(own().api, path, key, body);

  /** The answer, or undefined when the connection broke; made outside of the test's own globals, so no instanceof. */
  const orBroken = (asked: Promise<ApiAnswer>): Promise<ApiAnswer | undefined> =>
    asked.catch((error: unknown) => {
      if (Object(error).name !== 'TypeError') throw error;
      return undefined;
    });

  /** Kills a process; the answer waits until another is ready in its place. */
  const kill = (name: 'gateway' | 'nats'): (() => Promise<void>) => {
    const before = own().stack.info.pids[name];
    own().stack.kill(name, 'SIGKILL');
    return async () => {
      await waitFor(
        `another ${name}`,
        () => own().stack.info.pids[name] !== before && own().stack.process(name).ready,
      );
      await own().stack.whenReady();
    };
  };

  const recordOf = async (key: string) => {
    const input = {
      state: 'incomplete' as const,
      organization_id: own().organization.id,
      key,
      limit: 10,
      offset: 0,
    };
    const { records } = await own().organization.call(listIdempotencyRecords, input);
    const [record] = records;
    if (record === undefined) throw new Error('no request has claimed the key');
    return record;
  };

  /** As if the request had been made a minute ago: nothing can be at it any more. */
  const letAMinutePass = (operationId: string) =>
    own().world.database.query(
      "update gateway.idempotency_records set claimed_at = claimed_at - interval '1 minute' where operation_id = $1",
      [operationId],
    );

  const statusIn = async (channel: string): Promise<string | undefined> => {
    const { rows } = await own().world.database.query<{ status: string }>(
      'select status from delivery.messages where channel_id = $1',
      [channel],
    );
    return rows[0]?.status;
  };

  const slowPost = (channel: string) => own().world.sandbox.slowPosts(channel, postMs, 1);

  /** Kills the gateway while a keyed send is being posted; the key is blocked then. */
  const dieWhilePosting = async (key: string, channel: string) => {
    await slowPost(channel);
    const asked = orBroken(post(sendPath, key, { channel_id: channel }));
    await waitFor('the post to begin', async () => (await statusIn(channel)) === 'posting');
    const recovered = kill('gateway');
    expect(await asked).toBeUndefined();
    return recovered;
  };

  it('is blocked after kill -9 in the middle of a send; settled, it replays what became of its one message', async () => {
    const [key, channel] = [v7(), newChannel()];
    const recovered = await dieWhilePosting(key, channel);
    const other = own().api.at(own().stack.baseUrls[1] ?? '');
    const again = () => postTo(other, sendPath, key, { channel_id: channel });
    expect(await again()).toMatchObject({ status: 409, body: { code: 'idempotency_in_progress' } });
    const { operation_id } = await recordOf(key);
    const settle = () => own().organization.call(settleIdempotencyRecord, { operation_id });
    await expect(settle()).rejects.toMatchObject({ code: 'invalid_state' });
    await recovered();
    await waitFor('the message to be sent', async () => (await statusIn(channel)) === 'sent');
    expect(await again()).toMatchObject({ status: 409 });
    await letAMinutePass(operation_id);
    expect(await settle()).toEqual({ result: 'completed', status: 200 });
    const replayed = await again();
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    const [posted, ...more] = await own().world.sandbox.messages(channel);
    expect(more).toEqual([]);
    expect(sendTemplate.reply.parse(replayed.body)).toMatchObject({
      message_id: posted?.key,
      message_ts: posted?.ts,
    });
    await expect(settle()).rejects.toMatchObject({ code: 'invalid_state' });
    const line = await waitFor('the audit log to hear of the settlement', async () => {
      const { data } = await own().api.ok(listAuditLog, { query: { subject_id: operation_id } });
      return data.length > 0 && data;
    });
    expect(line).toMatchObject([
      { action: 'idempotent_request.settled', actor: { type: 'system', id: 'operator' } },
    ]);
  });

  it('released, a send runs again under its operation id and posts nothing twice', async () => {
    const [key, channel] = [v7(), newChannel()];
    const recovered = await dieWhilePosting(key, channel);
    await recovered();
    const { operation_id } = await recordOf(key);
    await waitFor('the message to be sent', async () => (await statusIn(channel)) === 'sent');
    await letAMinutePass(operation_id);
    expect(await own().organization.call(releaseIdempotencyRecord, { operation_id })).toEqual({
      result: 'released',
    });
    const answer = await post(sendPath, key, { channel_id: channel });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('idempotency-replayed')).toBeNull();
    expect(await own().world.sandbox.messages(channel)).toHaveLength(1);
    const log = await own().api.ok(listMessages, { query: { idempotency_key: key } });
    expect(log.data).toHaveLength(1);
    expect((await post(sendPath, key, { channel_id: channel })).text).toBe(answer.text);
  });

  /** Holds the organization's account; `isMet` tells whether another session waits for it. */
  const holdAccount = async () => {
    const client = await own().world.database.connect();
    await client.query('begin');
    const { rows } = await client.query<{ pid: number }>(
      `select pg_backend_pid() as pid
       from organization.credit_accounts
       where organization_id = $1
       for update`,
      [own().organization.id],
    );
    const waiting = 'select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))';
    return {
      isMet: async () => {
        const { rowCount } = await own().world.database.query(waiting, [rows[0]?.pid]);
        return rowCount === 1;
      },
      letGo: async () => {
        await client.query('rollback');
        client.release();
      },
    };
  };

  it('released, a compile whose charge was taken back is charged again, once', async () => {
    const charges = async (operationId: string): Promise<string[]> => {
      const { rows } = await own().world.database.query<{ kind: string }>(
        'select kind from organization.credit_log where operation_id = $1 order by created_at, kind',
        [operationId],
      );
      return rows.map((row) => row.kind);
    };
    const key = v7();
    const account = await holdAccount();
    const asked = orBroken(post(compilePath, key, {}));
    await waitFor('the charge to wait for the account', account.isMet);
    const recovered = kill('gateway');
    expect(await asked).toBeUndefined();
    await account.letGo();
    await recovered();
    const { operation_id } = await recordOf(key);
    await waitFor('the charge to be taken back', async () => (await charges(operation_id)).length === 2);
    await letAMinutePass(operation_id);
    await expect(own().organization.call(settleIdempotencyRecord, { operation_id })).rejects.toMatchObject({
      code: 'invalid_state',
    });
    expect(await own().organization.call(releaseIdempotencyRecord, { operation_id })).toEqual({
      result: 'released',
    });
    expect((await post(compilePath, key, {})).status).toBe(200);
    expect((await post(compilePath, key, {})).headers.get('idempotency-replayed')).toBe('true');
    const provisional = 'select from organization.provisional_charges where operation_id = $1';
    await waitFor(
      'the charge to be final',
      async () => (await own().world.database.query(provisional, [operation_id])).rowCount === 0,
    );
    expect(await charges(operation_id)).toEqual(['charge', 'reversal', 'charge']);
  });

  it('answered and then lost with its gateway is replayed, and paid', async () => {
    const balance = async () =>
      (await own().api.ok(getCredits, { params: { organization_id: own().organization.id } })).balance;
    const before = await balance();
    const key = v7();
    const first = await post(compilePath, key, {});
    const recovered = kill('gateway');
    expect(first.status).toBe(200);
    await recovered();
    const again = await post(compilePath, key, {});
    expect([again.status, again.text]).toEqual([200, first.text]);
    await waitFor('the charge to be confirmed', async () => {
      const { rowCount } = await own().world.database.query('select from gateway.unconfirmed_answers');
      return rowCount === 0;
    });
    const provisional = 'select from organization.provisional_charges where organization_id = $1';
    expect((await own().world.database.query(provisional, [own().organization.id])).rowCount).toBe(0);
    expect(await balance()).toBe(before - 1);
  });

  it('whose answer is lost with the broker is told so, remembers it, and posts nothing twice', async () => {
    const [key, channel] = [v7(), newChannel()];
    await slowPost(channel);
    const asked = post(sendPath, key, { channel_id: channel });
    await waitFor('the post to begin', async () => (await statusIn(channel)) === 'posting');
    const recovered = kill('nats');
    const first = await asked;
    expect(first).toMatchObject({ status: 502, body: { code: 'delivery_outcome_unknown' } });
    await recovered();
    await waitFor('the message to be sent', async () => (await statusIn(channel)) === 'sent');
    const again = await post(sendPath, key, { channel_id: channel });
    expect([again.status, again.text]).toEqual([502, first.text]);
    expect(await own().world.sandbox.messages(channel)).toHaveLength(1);
  });
});
