import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CodedError, limits } from '@stanza/contracts';
import { createMetrics, silentLogger } from '@stanza/runtime';
import { SteppedClock } from '@stanza/test-kit/service-world';
import { gatewayMetrics } from '../metrics.ts';
import { listening } from '../testing/client.ts';
import type { Changes } from './event-text.ts';
import type { Followed } from './follow.ts';
import { streamReadTurns } from './shared-reads.ts';
import { Streams } from './streams.ts';

const at = (place: number, events: unknown[] = [], has_more = false): Changes => ({
  events: events.map((data, index) => ({ id: `${place}-${index}`, data })),
  position: String(place),
  has_more,
});

/** A log of which a test says what each read answers. */
class Log {
  readonly asked: string[] = [];
  readonly #answers: (Changes | Error)[];

  constructor(...answers: (Changes | Error)[]) {
    this.#answers = answers;
  }

  read = async (after: string): Promise<Changes> => {
    this.asked.push(after);
    const answer = this.#answers.shift() ?? at(Number(after));
    if (answer instanceof Error) throw answer;
    return answer;
  };
}

describe('the streams of a gateway', () => {
  const clock = new SteppedClock();
  const registry = createMetrics({ service: 'gateway', processMetrics: false });
  const metrics = gatewayMetrics(registry);
  const readTurns = streamReadTurns(registry);
  let streams: Streams;
  let server: Server | undefined;

  beforeEach(() => {
    streams = new Streams({ most: 30, lifetimeS: 900, readTurns, clock, log: silentLogger(), metrics });
  });
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
    server = undefined;
  });

  const following = (log: Log, more: Partial<Followed> = {}): Followed => ({
    asked: 'all',
    first: at(1),
    read: log.read,
    check: async () => {},
    explain: (error) => {
      const coded = error instanceof CodedError ? error : new CodedError('service_unavailable');
      return { coded, fields: { code: coded.code } };
    },
    ...more,
  });

  /** Opens a stream as a client, and reads it piece by piece. */
  const open = async (followed: Followed) => {
    server = createServer((_request, response) => {
      response.writeHead(200);
      void streams.follow(response, followed);
    });
    const asked = request({ port: await listening(server), host: '127.0.0.1', agent: false }).end();
    const [response]: IncomingMessage[] = await once(asked, 'response');
    if (!response) throw new Error('no answer came');
    const parts = response.setEncoding('utf8')[Symbol.asyncIterator]();
    const next = async (): Promise<string> => String((await parts.next()).value ?? '');
    return { next, leave: () => asked.destroy() };
  };

  /** The next piece, while the log is looked at. */
  const looking = async (next: () => Promise<string>): Promise<string> => {
    const came = next();
    const timer = setInterval(() => streams.look(), 5);
    return came.finally(() => clearInterval(timer));
  };

  it('begin with where they stand, and write what comes, each after the place of the one before', async () => {
    const log = new Log(at(2, ['a', 'b'], true), at(3, ['c']));
    const { next } = await open(following(log));
    expect(await next()).toMatch(/^retry: \d+\nid: 1\n\n$/);
    const texts: string[] = [];
    while (!texts.join('').includes('"c"')) texts.push(await looking(next));
    expect(texts.join('')).toBe('id: 2-0\ndata: "a"\n\nid: 2-1\ndata: "b"\n\nid: 3-0\ndata: "c"\n\n');
    expect(log.asked.slice(0, 2)).toEqual(['1', '2']);
  });

  it('show that they live after a silence', async () => {
    const { next } = await open(following(new Log(at(2))));
    await next();
    clock.passSeconds(15);
    expect(await looking(next)).toBe('id: 2\n\n');
  });

  it('end with a hint when their lifetime is over', async () => {
    const { next } = await open(following(new Log()));
    await next();
    clock.passSeconds(900);
    expect(await looking(next)).toMatch(/^retry: \d+\nevent: end\ndata: {"reason":"lifetime"}\n\n$/);
    expect(await next()).toBe('');
  });

  it('end when the caller may no longer read, before anything else is shown', async () => {
    const log = new Log(at(2, ['secret']));
    const check = () => Promise.reject(new CodedError('invalid_token'));
    const { next } = await open(following(log, { check }));
    await next();
    expect(await looking(next)).toMatch(/event: end\ndata: {"reason":"refused","code":"invalid_token"}/);
    expect(log.asked).toEqual([]);
  });

  it('end when the log cannot be read', async () => {
    const { next } = await open(following(new Log(new CodedError('service_unavailable'))));
    await next();
    expect(await looking(next)).toMatch(/{"reason":"failed","code":"service_unavailable"}/);
  });

  it('end at a shutdown, after which none begins', async () => {
    const { next } = await open(following(new Log()));
    await next();
    streams.close();
    expect(await next()).toMatch(/^retry: \d+\nevent: end\ndata: {"reason":"shutdown"}/);
    expect(() => streams.take('organization')).toThrow(
      expect.objectContaining({ code: 'service_unavailable' }),
    );
  });

  it('are as many as an organization may have, and others have theirs', () => {
    const places = Array.from({ length: limits.streams }, () => streams.take('one'));
    expect(() => streams.take('one')).toThrow(
      expect.objectContaining({
        code: 'too_many_streams',
        facts: { message: expect.any(String), retry_after: 5 },
      }),
    );
    const others = Array.from({ length: 10 }, () => streams.take('other'));
    expect(() => streams.take('third')).toThrow(expect.objectContaining({ code: 'service_unavailable' }));
    // A place that is left twice is left once.
    for (const { leave } of [places[0], places[0], others[0]].filter((it) => it !== undefined)) leave();
    streams.take('one');
    expect(() => streams.take('one')).toThrow(expect.objectContaining({ code: 'too_many_streams' }));
    streams.take('third');
  });

  it('read once for all that stand at the same place at the same time', async () => {
    const log = new Log(at(2), at(3), at(4));
    const { reads } = streams;
    const of = (key: string) => ({ key, organizationId: 'one' });
    const both = await Promise.all(['a', 'a', 'b'].map((key) => reads.read(of(key), () => log.read('1'))));
    expect(both.map(({ position }) => position)).toEqual(['2', '2', '3']);
    expect((await reads.read(of('a'), () => log.read('2'))).position).toBe('4');
  });

  it('read in turns of organizations: many that one waits for leave places to another', async () => {
    const { reads } = streams;
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const readFor = (organizationId: string, key: string) =>
      reads.read({ key, organizationId }, async () => {
        begun.push(key);
        await new Promise<void>((resolve) => ends.push(resolve));
        return at(2);
      });
    const ofOne = Array.from({ length: limits.streams }, (_, index) => readFor('one', `one ${index}`));
    const ofOther = readFor('other', 'other');
    await new Promise(setImmediate);
    expect(begun.length).toBeLessThan(limits.streams);
    expect(begun).toContain('other');
    while (ends.length > 0) {
      ends.shift()?.();
      await new Promise(setImmediate);
    }
    await Promise.all([...ofOne, ofOther]);
    expect(begun).toHaveLength(limits.streams + 1);
  });
});
