import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { DrainingConnectionError } from '@nats-io/nats-core';
import { CodedError, internalOperation, subjectOf } from '@stanza/contracts';
import { runInProcess } from '@stanza/local/in-process';
import { sharedByTests } from '@stanza/test-kit/shared';
import { pino } from 'pino';
import { z } from 'zod';
import { currentReach } from '../database/reach.ts';
import { InvariantError } from '../invariant.ts';
import { startTestNats } from '../testing/nats.ts';
import { chargeOnce, echo, read, somebody, type TestProcess, testProcess } from '../testing/rpc.ts';
import { until } from '../testing/wait.ts';
import { newContext } from './context.ts';
import { RpcFailure } from './failure.ts';
import { type Call, handle, handleWritten } from './handler.ts';

const nats = sharedByTests(() => startTestNats({ maxPayload: 64 * 1024 }));
const opened: TestProcess[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ broker }) => broker.close()));
});

const connect = async (options: Partial<Parameters<typeof testProcess>[0]> = {}): Promise<TestProcess> => {
  const made = await testProcess({ url: nats().url, ...options });
  opened.push(made);
  return made;
};

const echoes = handle(echo, async ({ input }) => input);
const context = (deadlineMs = 5_000) =>
  newContext({ requestId: 'a-request', principal: somebody, deadlineMs });

/** A deadline longer than any test, milliseconds. */
const never = 86_400_000;

/** The reason with which a promise rejects. */
const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => new Error('it did not reject'),
    (err: unknown) => err,
  );

/** A promise and its resolver. */
const gate = () => Promise.withResolvers<void>();

const outcomesOf = async (
  { metrics }: TestProcess,
  side: 'client' | 'server',
): Promise<Record<string, number>> => {
  const metric = await metrics.registry.getSingleMetric(`stanza_rpc_${side}_calls_total`)?.get();
  return Object.fromEntries(metric?.values.map(({ labels, value }) => [labels.outcome, value]) ?? []);
};

describe('a call over NATS', () => {
  it('returns the answer, and passes the context to the handler', async () => {
    const [server, client] = [await connect(), await connect()];
    const seen: Call<typeof echo>[] = [];
    await server.serve([
      handle(echo, async (call) => {
        seen.push(call);
        return { got: call.input };
      }),
    ]);
    const sent = { ...context(), traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
    expect(await client.rpc.call(echo, { text: 'grüße 👋' }, sent)).toEqual({ got: { text: 'grüße 👋' } });
    expect(seen[0]?.context).toMatchObject({
      requestId: 'a-request',
      operationId: sent.operationId,
      traceparent: sent.traceparent,
      principal: somebody,
    });
    expect(seen[0]?.tenant).toMatchObject({
      organizationId: somebody.organization_id,
      environment: 'production',
    });
  });

  it('A call says of a first request alone that it is the first', async () => {
    const [server, client] = [await connect(), await connect()];
    await server.serve([handle(echo, async (call) => ({ isFirst: call.context.isFirst }))]);
    expect(await client.rpc.call(echo, {}, { ...context(), isFirst: true })).toEqual({ isFirst: true });
    expect(await client.rpc.call(echo, {}, { ...context(), isFirst: false })).toEqual({});
  });

  it.each(['"a"', ''])('A call passes the If-Match %j to the handler', async (ifMatch) => {
    const [server, client] = [await connect(), await connect()];
    await server.serve([handle(echo, async (call) => ({ ifMatch: call.context.ifMatch }))]);
    expect(await client.rpc.call(echo, {}, { ...context(), ifMatch })).toEqual({ ifMatch });
    expect(await client.rpc.call(echo, {}, context())).toEqual({});
  });

  it('is made again at another process where one does not answer, if it changes nothing, or nothing twice', async () => {
    const [frozen, well, client] = [await connect(), await connect(), await connect()];
    const seen = { read: 0, once: 0, echo: 0 };
    const silent = (name: keyof typeof seen) => async (): Promise<never> => {
      seen[name] += 1;
      return new Promise(() => {});
    };
    await frozen.serve([
      handle(read, silent('read')),
      handle(chargeOnce, silent('once')),
      handle(echo, silent('echo')),
    ]);
    await well.serve([
      handle(read, async ({ input }) => input),
      handle(chargeOnce, async ({ input }) => input),
      echoes,
    ]);
    for (const repeated of [read, chargeOnce]) {
      const calls = Array.from({ length: 24 }, (_, at) =>
        client.rpc.call(repeated, at, context(60_000), { deadlineMs: 60_000 }),
      );
      expect(await Promise.all(calls)).toEqual(calls.map((_, at) => at));
    }
    expect(Math.min(seen.read, seen.once)).toBeGreaterThan(0);

    const changes = Array.from({ length: 24 }, (_, at) => client.rpc.call(echo, at, context(3_000)));
    const ends = await Promise.allSettled(changes);
    const lost = ends.filter(({ status }) => status === 'rejected').length;
    expect([lost > 0, lost]).toEqual([true, seen.echo]);
    expect(await outcomesOf(client, 'client')).toMatchObject({ timeout: lost });
  });

  it('A call is not handled a second time by a process that still handles it', async () => {
    const [server, client] = [await connect(), await connect()];
    const answered = gate();
    let handled = 0;
    await server.serve([
      handle(read, async ({ input }) => {
        handled += 1;
        await answered.promise;
        return input;
      }),
    ]);
    const call = client.rpc.call(read, 1, context());
    await until(async () => ((await outcomesOf(server, 'server')).repeated ?? 0) > 1);
    answered.resolve();
    expect([await call, handled]).toEqual([1, 1]);
  });

  it('reaches the rows of its principal’s organization or of the one it names, and all rows without either', async () => {
    const [server, client] = [await connect(), await connect()];
    await server.serve([handle(echo, async () => currentReach())]);
    expect(await client.rpc.call(echo, {}, context())).toEqual([somebody.organization_id]);
    const ofNobody = newContext({ requestId: 'a-request', deadlineMs: 5_000 });
    expect(await client.rpc.call(echo, {}, ofNobody)).toBe('all');
    expect(await client.rpc.call(echo, { organization_id: 'one' }, ofNobody)).toEqual(['one']);
  });

  it('answers null for a handler that returns nothing', async () => {
    const [server, client] = [await connect(), await connect()];
    await server.serve([handle(echo, async () => undefined)]);
    expect(await client.rpc.call(echo, undefined, context())).toBeNull();
  });

  it('passes a reply on that its handler has written, and reads it where it is run without a wire', async () => {
    const [server, client] = [await connect(), await connect()];
    const written = handleWritten(echo, async () => '{"list":[1, "½"],"reach":"own"}');
    await server.serve([written]);
    expect(await client.rpc.call(echo, {}, context())).toEqual({ list: [1, '½'], reach: 'own' });
    await expect(runInProcess(written, {}, context())).resolves.toEqual({ list: [1, '½'], reach: 'own' });
  });

  it('returns a coded error with its public facts and without its cause', async () => {
    const [server, client] = [await connect(), await connect()];
    const facts = { message: 'No such thing.', details: 'a', required_scopes: ['x'], retry_after: 3 };
    await server.serve([
      handle(echo, () => Promise.reject(new CodedError('not_found', facts, { cause: new Error('secret') }))),
    ]);
    const error = await rejection(client.rpc.call(echo, {}, context()));
    expect(error).toMatchObject({ name: 'CodedError', code: 'not_found', facts });
    expect(error).not.toHaveProperty('cause');
  });

  it('of an operator that changes something is logged with their name, and brings it to the handler', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
    const [server, client] = [await connect({ log }), await connect()];
    await server.serve([
      handle(echo, async ({ context: { operator } }) => ({ operator })),
      handle(read, async ({ context: { operator } }) => ({ operator })),
    ]);
    const ofOperator = newContext({ operator: 'ada@desk', deadlineMs: 5_000 });
    expect(await client.rpc.call(read, {}, ofOperator)).toEqual({ operator: 'ada@desk' });
    expect(lines).toEqual([]);
    expect(await client.rpc.call(echo, {}, ofOperator)).toEqual({ operator: 'ada@desk' });
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { msg: 'an operator ran a command', actor: 'ada@desk', operation: echo.id },
    ]);
    const forged = { ...ofOperator, operator: 'ada\r\nPrincipal: {}' };
    await expect(client.rpc.call(echo, {}, forged)).rejects.toThrow(InvariantError);
  });

  it('hides an unknown error and logs its cause with the request id', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'error' }, { write: (line: string) => lines.push(line) });
    const [server, client] = [await connect({ log }), await connect()];
    await server.serve([handle(echo, () => Promise.reject(new Error('column "x" does not exist')))]);
    const error = await rejection(client.rpc.call(echo, {}, context()));
    expect(error).toMatchObject({ code: 'internal_error', message: 'An unexpected error occurred.' });
    expect(lines.join()).toContain('does not exist');
    expect(lines.join()).toContain('a-request');
  });

  it.each([
    [
      'throws at once',
      () => {
        throw new Error('at once');
      },
    ],
    ['rejects with undefined', () => Promise.reject(undefined)],
    [
      'rejects later',
      async () => {
        await Promise.resolve();
        throw new TypeError('later');
      },
    ],
    ['returns a value that is not JSON', async () => ({ big: 1n })],
  ])('continues to serve after a handler that %s', async (_how, run) => {
    const [server, client] = [await connect(), await connect()];
    let isFirst = true;
    await server.serve([
      handle(echo, (call) => {
        const bad = isFirst;
        isFirst = false;
        return bad ? run() : Promise.resolve(call.input);
      }),
    ]);
    expect(await rejection(client.rpc.call(echo, 1, context()))).toMatchObject({ code: 'internal_error' });
    expect(await client.rpc.call(echo, 2, context())).toBe(2);
  });

  it('turns a failure to reach a third service into service_unavailable for its caller', async () => {
    const [server, client] = [await connect(), await connect()];
    await server.serve([handle(echo, () => Promise.reject(new RpcFailure('timeout', 'rpc.x.y', true)))]);
    expect(await rejection(client.rpc.call(echo, 1, context()))).toMatchObject({
      code: 'service_unavailable',
      message: expect.stringContaining('may have happened'),
    });
  });

  it('refuses an undeclared input as a bug and not as a mistake of the caller', async () => {
    const [server, client] = [await connect(), await connect()];
    const strict = internalOperation({ ...echo, input: z.object({ id: z.uuid() }) });
    await server.serve([handle(strict, async ({ input }) => input.id)]);
    expect(await rejection(client.rpc.call(echo, { id: 'no uuid' }, context()))).toMatchObject({
      code: 'internal_error',
    });
  });

  it('refuses to name a principal that the call does not carry', async () => {
    const [server, client] = [await connect(), await connect()];
    await server.serve([handle(echo, async ({ principal }) => principal.role)]);
    const anonymous = newContext({ deadlineMs: 1_000 });
    expect(await rejection(client.rpc.call(echo, 1, anonymous))).toMatchObject({ code: 'internal_error' });
  });

  it('shares the requests among replicas', async () => {
    const client = await connect();
    const counts = [0, 0];
    for (const index of counts.keys()) {
      const replica = await connect();
      await replica.serve([
        handle(echo, async () => {
          counts[index] = (counts[index] ?? 0) + 1;
        }),
      ]);
    }
    await Promise.all(Array.from({ length: 200 }, () => client.rpc.call(echo, 1, context())));
    expect((counts[0] ?? 0) + (counts[1] ?? 0)).toBe(200);
    expect(Math.min(...counts)).toBeGreaterThan(20);
  });
});

describe('a call without an answer', () => {
  it('times out at its deadline and may have run', async () => {
    const [server, client] = [await connect(), await connect()];
    await server.serve([handle(echo, () => new Promise(() => undefined))]);
    const error = await rejection(client.rpc.call(echo, 1, context(), { deadlineMs: 40 }));
    expect(error).toMatchObject({ name: 'RpcFailure', kind: 'timeout', mayHaveRun: true });
  });

  it('is told from a slow one, whose answer still comes', async () => {
    const [server, client] = [await connect(), await connect()];
    const slow = gate();
    await server.serve([handle(echo, () => slow.promise)]);
    expect(await rejection(client.rpc.call(echo, 1, context(), { deadlineMs: 40 }))).toMatchObject({
      kind: 'timeout',
    });
    const late = async () =>
      (await client.metrics.registry.getSingleMetric('stanza_rpc_late_replies_total')?.get())?.values[0]
        ?.value;
    expect(await late()).toBe(0);
    slow.resolve();
    await until(async () => (await late()) === 1);
  });

  it.each([
    ['context', 30, never],
    ['operation', never, 30],
  ])('keeps the earlier of two deadlines: that of the %s', async (_whose, ofContext, deadlineMs) => {
    const [server, client] = [await connect(), await connect()];
    await server.serve([handle(echo, () => new Promise(() => undefined))]);
    const error = await rejection(client.rpc.call(echo, 1, context(ofContext), { deadlineMs }));
    expect(error).toMatchObject({ kind: 'timeout', mayHaveRun: true });
  });

  it('is not sent when its deadline has passed already', async () => {
    const [server, client] = [await connect(), await connect()];
    let calls = 0;
    await server.serve([
      handle(echo, async () => {
        calls++;
      }),
    ]);
    expect(await rejection(client.rpc.call(echo, 1, context(-1)))).toMatchObject({
      kind: 'timeout',
      mayHaveRun: false,
    });
    expect(calls).toBe(0);
    expect(await outcomesOf(client, 'client')).toEqual({ expired: 1 });
  });

  it('aborts the handler’s signal when the caller times out', async () => {
    const [server, client] = [await connect(), await connect()];
    const aborted = gate();
    await server.serve([
      handle(echo, async ({ signal }) => {
        signal.addEventListener('abort', () => aborted.resolve());
        await new Promise(() => undefined);
      }),
    ]);
    expect(await rejection(client.rpc.call(echo, 1, context(), { deadlineMs: 1_000 }))).toMatchObject({
      kind: 'timeout',
    });
    await aborted.promise;
  });

  it('fails at once without a receiver, after one retry', async () => {
    const client = await connect();
    const error = await rejection(client.rpc.call(echo, 1, context(never), { deadlineMs: never }));
    expect(error).toMatchObject({ kind: 'no_responders', mayHaveRun: false });
    expect(client.broker.nats.stats().outMsgs).toBe(2);
  });

  it('is refused as never run where the caller closes its connection', async () => {
    const [server, client] = [await connect(), await connect()];
    await server.serve([handle(echo, async ({ input }) => input)]);
    jest.spyOn(client.broker.nats, 'publish').mockImplementation(() => {
      throw new DrainingConnectionError();
    });
    const error = await rejection(client.rpc.call(echo, 1, context()));
    expect(error).toMatchObject({ kind: 'disconnected', mayHaveRun: false });
  });

  it('succeeds when a receiver is there at the retry', async () => {
    const [server, client] = [await connect(), await connect()];
    const answer = client.rpc.call(echo, 7, context());
    await server.serve([echoes]);
    expect(await answer).toBe(7);
  });

  it('does not start a request that has expired while the process was frozen', async () => {
    let ahead = 0;
    const clock = { now: () => new Date(), monotonic: () => performance.now() + ahead };
    const [server, client] = [await connect({ clock }), await connect()];
    // It gets each request before the queue of the service does: a minute has passed since the last beat by then.
    server.broker.subscribe(subjectOf(echo), () => {
      ahead += 60_000;
    });
    let handled = 0;
    await server.serve([
      handle(echo, async () => {
        handled += 1;
      }),
    ]);
    void rejection(client.rpc.call(echo, {}, context()));
    await until(async () => handled > 0 || (await outcomesOf(server, 'server')).expired === 1);
    expect(handled).toBe(0);
  });

  it('does not start a request that has expired in the queue', async () => {
    let ahead = 0;
    const clock = { now: () => new Date(), monotonic: () => performance.now() + ahead };
    const [server, client] = [await connect({ clock }), await connect()];
    const begun: unknown[] = [];
    await server.serve([
      handle(echo, async ({ input }) => {
        begun.push(input);
        // A minute of computation on the clock of this process, while the second request is queued.
        if (input === 'long') ahead += 60_000;
      }),
    ]);
    const long = client.rpc.call(echo, 'long', context(never), { deadlineMs: never });
    const short = rejection(client.rpc.call(echo, 'short', context(), { deadlineMs: 500 }));
    await long;
    expect(await short).toMatchObject({ kind: 'timeout' });
    await until(async () => (await outcomesOf(server, 'server')).expired === 1);
    expect(begun).toEqual(['long']);
  });

  it('answers overload at once past the limit, and runs nothing', async () => {
    const [server, client] = [await connect(), await connect()];
    const open = gate();
    let begun = 0;
    await server.serve(
      [
        handle(echo, async () => {
          begun++;
          await open.promise;
        }),
      ],
      4,
    );
    const admitted = [client.rpc.call(echo, 1, context()), client.rpc.call(echo, 2, context())];
    await until(() => begun === 2);
    expect(await rejection(client.rpc.call(echo, 3, context()))).toMatchObject({
      kind: 'overload',
      mayHaveRun: false,
    });
    open.resolve();
    await Promise.all(admitted);
    expect(begun).toBe(2);
    expect(await client.rpc.call(echo, 4, context())).toBeNull();
  });

  it('takes a call of another organization beside one that has its share, and counts calls that post apart', async () => {
    const [server, client] = [await connect(), await connect()];
    const open = gate();
    const begun: unknown[] = [];
    const wait = async ({ input }: { input: unknown }) => {
      begun.push(input);
      await open.promise;
    };
    const post = internalOperation({ ...echo, id: 'get-profile', posts: true, weighedBy: 'items' });
    await server.serve([handle(echo, wait), handle(post, wait)], 4);
    const other = newContext({
      principal: { ...somebody, organization_id: '019a0000-0000-7000-8000-000000000009' },
      deadlineMs: 5_000,
    });
    const admitted = [client.rpc.call(echo, 'a', context()), client.rpc.call(echo, 'b', context())];
    await until(() => begun.length === 2);
    expect(await rejection(client.rpc.call(echo, 'c', context()))).toMatchObject({ kind: 'overload' });
    admitted.push(client.rpc.call(echo, 'other', other));
    // Thirty-two places: two heavy calls weigh eight each, and a third would be more than is free.
    const heavy = { body: { items: Array.from({ length: 100 }, () => 1) } };
    admitted.push(client.rpc.call(post, heavy, context()), client.rpc.call(post, heavy, context()));
    await until(() => begun.length === 5);
    expect(await rejection(client.rpc.call(post, 'light', context()))).toMatchObject({ kind: 'overload' });
    admitted.push(client.rpc.call(post, 'other', other));
    await until(() => begun.length === 6);
    open.resolve();
    await Promise.all(admitted);
  });
});

describe('messages larger than NATS carries', () => {
  it('become a coded error with a clear message, for an answer', async () => {
    const [server, client] = [await connect(), await connect()];
    await server.serve([handle(echo, async () => 'x'.repeat(70_000))]);
    expect(await rejection(client.rpc.call(echo, 1, context()))).toMatchObject({
      code: 'internal_error',
      message: expect.stringContaining('70002 bytes'),
    });
  });

  it('become a coded error at the caller, for a request', async () => {
    const client = await connect();
    expect(await rejection(client.rpc.call(echo, 'é'.repeat(35_000), context()))).toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('70002 bytes'),
    });
  });

  it('keep their code for an error whose details are too long', async () => {
    const [server, client] = [await connect(), await connect()];
    const details = 'x'.repeat(70_000);
    await server.serve([handle(echo, () => Promise.reject(new CodedError('invalid_data', { details })))]);
    expect(await rejection(client.rpc.call(echo, 1, context()))).toMatchObject({ code: 'invalid_data' });
  });
});

describe('a drain', () => {
  it('finishes requests in flight and leaves new ones to the other replica', async () => {
    const [leaving, staying, client] = [await connect(), await connect(), await connect()];
    const open = gate();
    let begun = 0;
    const server = await leaving.serve([
      handle(echo, async () => {
        begun++;
        await open.promise;
        return 'from the one that left';
      }),
    ]);
    const inFlight = client.rpc.call(echo, 1, context());
    await until(() => begun === 1);
    await staying.serve([handle(echo, async () => 'from the one that stays')]);
    const drained = server.drain();
    await leaving.broker.nats.flush();
    const later = await Promise.all(Array.from({ length: 20 }, () => client.rpc.call(echo, 2, context())));
    expect(new Set(later)).toEqual(new Set(['from the one that stays']));
    open.resolve();
    expect(await inFlight).toBe('from the one that left');
    await drained;
    expect(server.inFlight).toBe(0);
    expect(leaving.broker.fault).toBeUndefined();
  });
});
