import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { type Clock, systemClock } from '@stanza/runtime';
import { buildConnector, Client } from 'undici';
import { type Progress, type ReadAnswer, requestAnswer } from '../chat/transport.ts';
import {
  isDenied,
  isLiteral,
  type OutboundRules,
  plainHost,
  refusalOfAddress,
} from './outbound-addresses.ts';
import type { OutboundReply } from './outbound-reply.ts';

/** Timeout of connecting to a destination, milliseconds, DNS and TLS included; its own timeout may be shorter. */
const connectMs = 10_000;
/** Bytes of an answer that are read; the rest is dropped. */
const readBytes = 16 * 1024;
/** Largest headers of an answer, bytes. */
const answerHeaderBytes = 16 * 1024;

/** Finds all addresses of a name. */
export type Resolve = (
  host: string,
  found: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;

/** The request to send, and its address. */
export interface OutboundCall {
  url: string;
  method: 'POST' | 'PUT' | 'PATCH';
  headers: Readonly<Record<string, string>>;
  body: string;
  timeoutMs: number;
}

/** The address of a destination, as resolved for the connection, is not allowed. */
class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** The options of the transport; a test passes its own clock. */
export interface TransportOptions {
  rules: OutboundRules;
  onRefused: () => void;
  resolve: Resolve;
  clock?: Clock;
}

const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** The kind of failure of a request, in a word: the code of the error, else its name. */
const wordFor = (error: unknown): string => {
  const name = String(property(error, 'name'));
  if (name === 'TimeoutError' || name === 'AbortError') return 'timeout';
  const code = property(error, 'code');
  return typeof code === 'string' ? code.toLowerCase() : name;
};

/**
 * Carries payloads to destinations. Each uses a connection of its own to the address that was checked after the lookup,
 * so a name that resolves differently a moment later has no effect.
 */
export class DestinationTransport {
  readonly #options: TransportOptions;
  readonly #clock: Clock;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Sends once. Redirects are not followed and count as refusals. */
  async send(given: OutboundCall): Promise<OutboundReply> {
    // The rest of a deadline has fractions, which timers refuse.
    const call = { ...given, timeoutMs: Math.max(1, Math.floor(given.timeoutMs)) };
    const startedAt = this.#clock.monotonic();
    const progress: Progress = { bytesMayHaveLeft: false };
    const client = this.#clientFor(call);
    const latency = () => Math.round(this.#clock.monotonic() - startedAt);
    try {
      const reply = await sendOnce(client, progress, call);
      return { ...reply, latencyMs: latency() };
    } catch (error) {
      if (error instanceof AddressRefused) {
        this.#options.onRefused();
        return { outcome: 'not_sent', error: 'address_refused', latencyMs: latency() };
      }
      const outcome = progress.bytesMayHaveLeft ? 'lost' : 'not_sent';
      return { outcome, error: wordFor(error), latencyMs: latency() };
    } finally {
      await client.destroy();
    }
  }

  #clientFor({ url, timeoutMs }: OutboundCall): Client {
    return new Client(new URL(url).origin, {
      connect: this.#connect(Math.min(connectMs, timeoutMs)),
      pipelining: 0,
      allowH2: false,
      maxHeaderSize: answerHeaderBytes,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
  }

  #connect(timeout: number): buildConnector.connector {
    return (options, callback) => {
      const host = plainHost(options.hostname);
      const port = options.port === '' ? (options.protocol === 'https:' ? 443 : 80) : Number(options.port);
      const refusal = this.#refusalOf(host, isLiteral(host) ? [{ address: host, family: 4 }] : [], port);
      if (refusal) return callback(refusal, null);
      const connector = buildConnector({ timeout, lookup: this.#lookup(port), maxCachedSessions: 0, port });
      connector(options, callback);
    };
  }

  /** Resolves a name for the socket, to checked addresses or none. */
  #lookup(port: number): LookupFunction {
    return (hostname, options, callback) => {
      this.#options.resolve(plainHost(hostname), (error, addresses) => {
        const [first] = addresses ?? [];
        const refusal = error ?? this.#refusalOf(plainHost(hostname), addresses, port);
        if (refusal || !first) {
          callback(refusal ?? new Error('the name has no address'), '', 0);
        } else if (options.all === true) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      });
    };
  }

  /** One denied address among several is enough: the choice among them is random. */
  #refusalOf(host: string, addresses: readonly LookupAddress[], port: number): AddressRefused | undefined {
    const { rules } = this.#options;
    if (addresses.some(({ address }) => isDenied(rules, address, port)))
      return new AddressRefused('the address is denied to destinations');
    if (rules.allowed.hosts.has(host)) return undefined;
    for (const { address } of addresses) {
      const reason = refusalOfAddress(rules, address, port);
      if (reason !== undefined) return new AddressRefused(`the address ${reason}`);
    }
    return undefined;
  }
}

const sendOnce = async (
  client: Client,
  progress: Progress,
  { url, method, headers, body, timeoutMs }: OutboundCall,
): Promise<Omit<OutboundReply, 'latencyMs'>> => {
  const { pathname, search } = new URL(url);
  const request = { path: pathname + search, method, headers: { ...headers }, body };
  const answer = await requestAnswer(client, request, { progress, timeoutMs, maxBytes: readBytes });
  const { statusCode: httpStatus } = answer;
  const outcome = httpStatus >= 200 && httpStatus < 300 ? 'delivered' : 'refused';
  return {
    outcome,
    httpStatus,
    response: beginningOf(answer),
    ...(httpStatus >= 300 && httpStatus < 400 && { error: 'redirect' }),
    ...(outcome === 'refused' && { retryAfterMs: retryAfterMs(answer.headers['retry-after'], Date.now()) }),
  };
};

/**
 * The start of an answer. Its status is known, so a failure of the rest changes nothing. Compressed bytes, which were not
 * asked for, are no text that could be read, nor one in which a secret would be found.
 */
const beginningOf = ({ headers, body, failure }: ReadAnswer): string => {
  if (failure && body.length === 0) return `(the answer was cut off: ${wordFor(failure)})`;
  const encoding = String(headers['content-encoding'] ?? 'identity');
  if (encoding.toLowerCase() !== 'identity' && body.length > 0)
    return `(the answer is not shown: its content encoding is ${encoding})`;
  return body.subarray(0, readBytes).toString();
};

/** Milliseconds of a `Retry-After`, given in seconds or as a date; undefined for an unusable one. */
export const retryAfterMs = (value: unknown, now: number): number | undefined => {
  if (typeof value !== 'string') return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
};
