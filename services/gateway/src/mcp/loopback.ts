import { randomUUID } from 'node:crypto';
import { agentPrefix, type Client } from '@stanza/contracts';
import { keptUserAgent } from '@stanza/runtime';
import { Stanza } from '@stanza/sdk';
import type { Request } from 'express';
import { type Origins, originHeader } from '../http/client.ts';
import { tenantHeaders } from '../pipeline/authorize.ts';

/** Milliseconds for one call of a tool, with what is made again; an agent's host waits about half a minute. */
const callMs = 20_000;

/** What a tool's calls are made for. */
interface Origin {
  client: Client;
  key: string;
  /** Ends the calls once the agent has gone. */
  signal: AbortSignal;
}

/** The API for one message of an agent. */
export interface AgentCall {
  stanza: Stanza;
  /** Says what the agent calls itself, once its message is read. */
  named: (agent: string | undefined) => void;
}

/** What the audit log says of a call, next to the agent's own user agent. */
const userAgentOf = (agent: string | undefined, { user_agent }: Client): string | null =>
  keptUserAgent([agentPrefix(agent), ...(user_agent === null ? [] : [user_agent])].join('; '));

/**
 * The API as tools reach it: over this gateway's own port, so that each call passes the whole pipeline with the
 * caller's credentials. A call counts as coming from where the agent is, and its user agent says that it was made by a
 * tool.
 */
export class Loopback {
  readonly #origins: Origins;

  /** @param origins gets those of the requests that are under way */
  constructor(origins: Origins) {
    this.#origins = origins;
  }

  /** Runs work with the API as the caller of a request reaches it. */
  async within<T>(
    request: Request,
    { client, key, signal }: Origin,
    work: (call: AgentCall) => Promise<T>,
  ): Promise<T> {
    const name = randomUUID();
    const named = (agent: string | undefined): void => {
      this.#origins.set(name, { ...client, user_agent: userAgentOf(agent, client) });
    };
    named(undefined);
    const { localAddress, localPort } = request.socket;
    const host = localAddress?.includes(':') ? `[${localAddress}]` : localAddress;
    const stanza = new Stanza({
      url: `http://${host}:${localPort}`,
      key,
      timeoutMs: callMs,
      fetch: (url, init) => {
        const headers = new Headers(init.headers);
        headers.set(originHeader, name);
        for (const place of tenantHeaders) {
          const value = request.get(place);
          if (value !== undefined) headers.set(place, value);
        }
        const ended = init.signal ? AbortSignal.any([signal, init.signal]) : signal;
        return fetch(url, { ...init, headers, signal: ended });
      },
    });
    try {
      return await work({ stanza, named });
    } finally {
      this.#origins.delete(name);
    }
  }
}
