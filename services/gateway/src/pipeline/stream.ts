import { CodedError, lastEventIdHeader, logPlace } from '@stanza/contracts';
import { type Forward, newContext, RpcFailure } from '@stanza/runtime';
import { errorAnswer } from '../http/answers.ts';
import { type RequestContext, required, type Step, type ValidInput } from '../http/request-context.ts';
import { leaveOnceClosed, loggedError } from '../http/serve.ts';
import { type Changes, changes, eventsType } from '../streams/event-text.ts';
import type { Streams } from '../streams/streams.ts';
import { unanswered } from './call.ts';

/** The dependencies of the step. */
export interface StreamDependencies {
  streams: Streams;
  forward: Forward;
  /** The steps that decide on access; a stream takes them before each read. */
  access: readonly Step[];
}

/** A proxy must neither keep the answer nor collect it. */
const headers = { 'Content-Type': eventsType, 'X-Accel-Buffering': 'no' };

const query = (input: ValidInput): object => Object(input.query);

/** The event after which to begin, as the header names it; it goes before the query. */
const afterOf = ({ request, input }: RequestContext): string | undefined => {
  const header = request.get(lastEventIdHeader);
  if (header === undefined || header === '') {
    const { after }: { after?: string } = query(required(input, 'input'));
    return after;
  }
  const { data, error } = logPlace.safeParse(header);
  if (error) {
    const issues = error.issues.map(({ code, message }) => ({ code, path: [lastEventIdHeader], message }));
    throw new CodedError('validation_failed', { issues });
  }
  return data;
};

/** Names all that a stream asks, whatever the place. */
const askedOf = ({ operation, principal, input }: RequestContext): string => {
  const { organization_id, environment } = required(principal, 'principal');
  const { after: _, ...filters }: { after?: string } = query(required(input, 'input'));
  return JSON.stringify([operation.id, organization_id, environment, filters]);
};

/** Reads what has changed after a place, for one request or for several that ask the same. */
const reading =
  (requestContext: RequestContext, { streams, forward }: StreamDependencies) =>
  async (after: string | undefined): Promise<Changes> => {
    const { operation, context } = requestContext;
    const principal = required(requestContext.principal, 'principal');
    const input = required(requestContext.input, 'input');
    const asked = { ...input, query: { ...query(input), after } };
    const key = JSON.stringify([askedOf(requestContext), after]);
    const { requestId, client } = context;
    const { deadlineMs } = operation;
    const { organization_id: organizationId } = principal;
    try {
      return await streams.reads.read({ key, organizationId }, async () => {
        const own = newContext({ requestId, principal, ...(client && { client }), deadlineMs });
        return changes.parse(JSON.parse(Buffer.from(await forward(operation, asked, own)).toString()));
      });
    } catch (error) {
      throw error instanceof RpcFailure ? unanswered(operation, error) : error;
    }
  };

/** Decides on access once more: a key may have been revoked since, a session may have ended. */
const checking =
  ({ operation, request, response, context, log, principal }: RequestContext, access: readonly Step[]) =>
  async (): Promise<void> => {
    const { requestId, client } = context;
    const again: RequestContext = {
      operation,
      request,
      response,
      context: newContext({ requestId, ...(client && { client }), deadlineMs: operation.deadlineMs }),
      log,
      deprecated: [],
      headers: {},
    };
    for (const step of access) await step(again);
    const now = required(again.principal, 'principal');
    const before = required(principal, 'principal');
    if (now.organization_id !== before.organization_id || now.environment !== before.environment) {
      throw new CodedError('access_denied', {
        message: 'The credentials belong to another organization or environment than when the stream began.',
      });
    }
  };

/** Makes what a stream says of the error that ends it; it is logged like that of any other request. */
export const explaining =
  ({ operation, context: { requestId }, log }: Pick<RequestContext, 'operation' | 'context' | 'log'>) =>
  (error: unknown) => {
    const coded = loggedError(error, log);
    const answer = errorAnswer(coded, requestId, { operation });
    const { code, error: text, docs } = Object(JSON.parse(String(answer.body)));
    return { coded, fields: { code, error: text, request_id: requestId, docs } };
  };

/** Opens a stream: the first read is made before the answer begins, so that its failure is an answer like any other. */
export const stream =
  (dependencies: StreamDependencies): Step =>
  async (requestContext) => {
    const { operation, response } = requestContext;
    const after = afterOf(requestContext);
    const place = dependencies.streams.take(required(requestContext.principal, 'principal').organization_id);
    leaveOnceClosed(place, response);
    const read = reading(requestContext, dependencies);
    const first = await read(after);
    // The stream counts among the streams, and no longer among the requests that are worked on.
    requestContext.slot?.leave();
    const check = checking(requestContext, dependencies.access);
    const asked = askedOf(requestContext);
    const explain = explaining(requestContext);
    requestContext.answer = {
      status: operation.status,
      body: '',
      headers,
      stream: () => dependencies.streams.follow(response, { asked, first, read, check, explain }),
    };
  };
