import { describe, expect, it } from '@jest/globals';
import { getCredits, listIdempotencyRecords, sendTemplate } from '@stanza/contracts';
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
  /**
   * One gateway dies; the other answers in the meantime, since the start of a process may take longer than a post does.
   */
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

  it('a send settles itself after kill -9 of its gateway and replays the outcome of its one message', async () => {
    const [key, channel] = [v7(), newChannel()];
    const recovered = await dieWhilePosting(key, channel);
    const other = own().api.at(own().stack.baseUrls[1] ?? '');
    const again = () => postTo(other, sendPath, key, { channel_id: channel });
    expect(await again()).toMatchObject({ status: 409, body: { code: 'idempotency_in_progress' } });
    const { operation_id } = await recordOf(key);
    await recovered();
    await waitFor('the message to be sent', async () => (await statusIn(channel)) === 'sent');
    await letAMinutePass(operation_id);
    const replayed = await again();
    expect(replayed).toMatchObject({ status: 200 });
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    const [posted, ...more] = await own().world.sandbox.messages(channel);
    expect(more).toEqual([]);
    expect(sendTemplate.reply.parse(replayed.body)).toMatchObject({
      message_id: posted?.key,
      message_ts: posted?.ts,
    });
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

  it('a compile whose charge was taken back runs again under its key and is charged once', async () => {
    const charges = async (): Promise<string[]> => {
      const { rows } = await own().world.database.query<{ kind: string }>(
        'select kind from organization.credit_log where organization_id = $1 order by created_at, kind',
        [own().organization.id],
      );
      return rows.map((row) => row.kind);
    };
    const key = v7();
    const account = await holdAccount();
    const before = await charges();
    const asked = orBroken(post(compilePath, key, {}));
    await waitFor('the charge to wait for the account', account.isMet);
    const recovered = kill('gateway');
    expect(await asked).toBeUndefined();
    const { operation_id } = await recordOf(key);
    await account.letGo();
    await recovered();
    await waitFor('the charge to be taken back', async () => (await charges()).at(-1) === 'reversal');
    await letAMinutePass(operation_id);
    const first = await post(compilePath, key, {});
    expect(first.status).toBe(200);
    const again = await post(compilePath, key, {});
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
    const provisional = 'select from organization.provisional_charges where organization_id = $1';
    await waitFor(
      'the charge to be final',
      async () => (await own().world.database.query(provisional, [own().organization.id])).rowCount === 0,
    );
    expect((await charges()).slice(before.length)).toEqual(['charge', 'reversal', 'charge']);
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

  it('a send whose answer is lost with the broker gets its true answer at a repeat and posts nothing twice', async () => {
    const [key, channel] = [v7(), newChannel()];
    await slowPost(channel);
    const asked = post(sendPath, key, { channel_id: channel });
    await waitFor('the post to begin', async () => (await statusIn(channel)) === 'posting');
    const recovered = kill('nats');
    expect(await asked).toMatchObject({ status: 502, body: { code: 'delivery_outcome_unknown' } });
    await recovered();
    await waitFor('the message to be sent', async () => (await statusIn(channel)) === 'sent');
    const again = await post(sendPath, key, { channel_id: channel });
    expect(again).toMatchObject({ status: 200, body: { success: true } });
    expect(await own().world.sandbox.messages(channel)).toHaveLength(1);
  });
});
