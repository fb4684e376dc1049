import { once } from 'node:events';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { CodedError, isErrorCode } from '@stanza/contracts';
import { type Asked, createServer, scopesOfTool } from '@stanza/mcp';
import {
  type ConcurrencyLimit,
  type ConcurrencySlot,
  type Logger,
  productVersion,
  withinOrganizations,
} from '@stanza/runtime';
import { StanzaError, type ValidatedToken } from '@stanza/sdk';
import express, { type Request, type Response, type Router } from 'express';
import type { Origins } from '../http/client.ts';
import { leaveOnceClosed } from '../http/serve.ts';
import { type GuardDependencies, type Guarded, guarding } from '../limits/guard.ts';
import { quotaHeaders, type RateLimits, requireQuota } from '../limits/rate-limits.ts';
import { agentIn, agentName, fieldOf, sessionFor, sessionHeader } from './agent-name.ts';
import { type AgentCall, Loopback } from './loopback.ts';
import { messageBytes, readMessage } from './read-message.ts';
import { namingRevisions } from './revisions.ts';

/** What the agents' side needs. */
export interface McpDependencies extends GuardDependencies {
  /** Slots of agents that are authenticated, shared by organization. */
  agents: ConcurrencyLimit;
  rates: Pick<RateLimits, 'take'>;
  /** The origins of the requests of agents that are under way. */
  origins: Origins;
  /** The identity provider, where sessions are taken. */
  issuer: string | undefined;
  /**
   * Where people and programs reach this gateway, for instance `https://stanza.example.com`; that of the request without it.
   */
  origin: string | undefined;
}

const metadataPath = '/.well-known/oauth-protected-resource/mcp';

const originOf = (request: Request, { origin }: Pick<McpDependencies, 'origin'>): string =>
  origin?.replace(/\/$/, '') ?? `${request.protocol}://${request.get('host') ?? ''}`;

/** Names by which a machine calls itself. */
const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/**
 * A page of another origin must not reach the tools. That the page names the host that it asks proves nothing: a name of
 * elsewhere can be made to lead to this machine (DNS rebinding). So the origin is the configured one, or this machine's.
 */
const refuseForeignPages = (request: Request, own: string | undefined): void => {
  const given = request.get('origin');
  if (given === undefined) return;
  const page = URL.parse(given);
  if (page && own !== undefined && page.origin === URL.parse(own)?.origin) return;
  if (page && loopbackNames.includes(page.hostname) && page.host === request.get('host')) return;
  throw new CodedError('access_denied', {
    message: 'Requests from pages of other origins are refused.',
    required_scopes: [],
    user_scopes: [],
  });
};

const bearer = (request: Request): string => {
  const [, token] = /^Bearer +([\x21-\x7e]+) *$/i.exec(request.get('authorization') ?? '') ?? [];
  if (token === undefined) throw new CodedError('unauthenticated');
  return token;
};

/** What the API has answered to the gateway's own question, as the answer to the agent. */
const asAnswer = (error: unknown): unknown => {
  if (!(error instanceof StanzaError)) return error;
  const { code, text, retryAfter, requiredScopes, userScopes } = error;
  if (!isErrorCode(code)) {
    const message = 'The key could not be checked at the moment; nothing was done.';
    return new CodedError('service_unavailable', { message, retry_after: 1 }, { cause: error });
  }
  return new CodedError(
    code,
    {
      ...(retryAfter !== undefined && { retry_after: retryAfter }),
      ...(code === 'access_denied' && {
        message: text,
        required_scopes: [...requiredScopes],
        user_scopes: [...userScopes],
      }),
    },
    { cause: error },
  );
};

const answered = async <T>(question: Promise<T>): Promise<T> => {
  try {
    return await question;
  } catch (error) {
    throw asAnswer(error);
  }
};

const whoCalls = ({ stanza }: AgentCall): Promise<ValidatedToken> => answered(stanza.auth.validate());

/** What a message asks for, as far as the tools depend on it. */
const askedFor = (message: object): Asked => ({
  method: fieldOf(message, 'method'),
  name: fieldOf(fieldOf(message, 'params'), 'name'),
});

/** A tool that the caller may not use is not listed; whoever calls it nevertheless is told the scope. */
const checkScopes = ({ method, name }: Asked, held: readonly string[]): void => {
  if (method !== 'tools/call' || typeof name !== 'string') return;
  const missing = scopesOfTool(name)?.filter((scope) => !held.includes(scope)) ?? [];
  if (missing.length === 0) return;
  throw new CodedError('insufficient_scope', {
    message: `The tool needs the scope ${missing.join(' and ')}.`,
    required_scopes: missing,
    user_scopes: [...held],
  });
};

const writeAnswer = async (answer: globalThis.Response, response: Response): Promise<void> => {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  const reader = answer.body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done || response.destroyed) break;
    if (!response.write(value)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
  await reader?.cancel();
  response.end();
};

/** Takes a slot of the organization until the answer has gone out, in place of that of the address. */
const enter = (
  { agents }: Pick<McpDependencies, 'agents'>,
  { organization }: ValidatedToken,
  response: Response,
  open: Pick<ConcurrencySlot, 'leave'>,
): void => {
  const slot = agents.take();
  if (!slot?.share(organization.id)) {
    slot?.leave();
    throw new CodedError('service_unavailable', {
      message:
        'Too many agent requests of the organization are in progress; nothing was done. Try again later.',
      retry_after: 1,
      nothing_done: true,
    });
  }
  leaveOnceClosed(slot, response);
  open.leave();
};

/** Counts a message, also one that only reads. */
const count = async (
  { rates }: Pick<McpDependencies, 'rates'>,
  { organization }: ValidatedToken,
  response: Response,
): Promise<void> => {
  const quota = await withinOrganizations([organization.id], () => rates.take(organization.id, 'agents'));
  if (!quota) return;
  response.set(quotaHeaders('agents', quota));
  requireQuota('The organization has made its', 'agents', quota);
};

/** Headers of a message that the protocol reads. */
const protocolHeaders = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** Hands one message to a server that is made for its caller. */
const answerMessage = async (
  { stanza }: AgentCall,
  scopes: readonly string[],
  { message, request, signal, log }: { message: object; request: Request; signal: AbortSignal; log: Logger },
): Promise<{ answer: globalThis.Response; close: () => Promise<void> }> => {
  const asked = askedFor(message);
  checkScopes(asked, scopes);
  const server = await answered(createServer({ stanza, scopes, version: productVersion }, asked));
  const handler = createMcpHandler(() => server, {
    maxRequestBodySize: messageBytes,
    // Nothing is ever told to a stream: the list of tools changes with the key alone.
    maxSubscriptions: 0,
    onerror: (error) => log.info({ err: error }, 'an agent was refused by the protocol'),
  });
  const headers = new Headers();
  for (const name of protocolHeaders) {
    const value = request.get(name);
    if (value !== undefined) headers.set(name, value);
  }
  const body = JSON.stringify(message);
  const posted = new globalThis.Request('http://localhost/mcp', { method: 'POST', headers, body, signal });
  const answer = await namingRevisions(await handler.fetch(posted, { parsedBody: message }));
  return { answer, close: handler.close };
};

/** Opens the agents' side: the protocol's endpoint, and what tells a client where its people sign in. */
export const openMcp = (dependencies: McpDependencies): Router => {
  const loopback = new Loopback(dependencies.origins);
  const guarded = guarding(
    dependencies,
    (request) => `Bearer resource_metadata="${originOf(request, dependencies)}${metadataPath}"`,
  );
  const serve: Guarded = async (request, response, slot) => {
    refuseForeignPages(request, dependencies.origin);
    const key = bearer(request);
    const left = new AbortController();
    response.once('close', () => left.abort());
    const { signal } = left;
    await loopback.within(request, { client: dependencies.clientOf(request), key, signal }, async (call) => {
      // A body is read for those alone who are let in.
      const caller = await whoCalls(call);
      enter(dependencies, caller, response, slot);
      await count(dependencies, caller, response);
      const { token } = caller;
      const message = await readMessage(request, response);
      const name = agentName(message);
      call.named(name ?? agentIn(request.get(sessionHeader)));
      const { log } = dependencies;
      const { answer, close } = await answerMessage(call, token.scopes, { message, request, signal, log });
      if (name !== undefined && fieldOf(message, 'method') === 'initialize')
        response.setHeader(sessionHeader, sessionFor(name));
      await writeAnswer(answer, response);
      await close();
    });
  };
  const router = express.Router();
  router.post('/mcp', guarded('unknown_agents', serve));
  router.all(
    '/mcp',
    guarded('unknown_agents', async (_request, response) => {
      response.setHeader('Allow', 'POST');
      throw new CodedError('method_not_allowed', { message: 'Send each MCP message by POST.' });
    }),
  );
  router.get(metadataPath, (request, response) => {
    response.json({
      resource: `${originOf(request, dependencies)}/mcp`,
      authorization_servers: dependencies.issuer === undefined ? [] : [dependencies.issuer],
      bearer_methods_supported: ['header'],
      resource_name: 'Stanza',
    });
  });
  return router;
};
