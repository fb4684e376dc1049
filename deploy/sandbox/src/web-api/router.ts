import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AnsweringFault } from '../faults/fault.ts';
import { respond, respondToError } from '../respond.ts';
import { findConversation } from '../world/directory.ts';
import type { World } from '../world/world.ts';
import { type Arguments, type ArgumentsResult, readArguments, textArgument } from './arguments.ts';
import { type Refusal, refuse, type Success } from './method.ts';
import { methods, openMethods } from './methods/index.ts';
import { readBody } from './read-body.ts';
import { authenticate, bearerToken } from './token.ts';

/** Where the methods are. */
export const webApiPath = '/api/';

/** A call of a method as it arrived. */
interface Received {
  name: string;
  request: IncomingMessage;
  response: ServerResponse;
  call: ArgumentsResult;
  body: string;
  /** Where browsers reach the sandbox; undefined for where this call reached it. */
  publicUrl: string | undefined;
}

/** An answer, with its further headers. */
interface Reply {
  body: Success | Refusal;
  headers?: Readonly<Record<string, string>>;
}

const refusal = (error: string): Reply => ({ body: refuse(error) });

/** The ids of a call's conversation: as named, and that of the direct message for a person. */
function channelNames(args: Arguments): string[] {
  const named = textArgument(args, 'channel');
  if (named === undefined) return [];
  const id = findConversation(named)?.id;
  return id === undefined || id === named ? [named] : [named, id];
}

/** Runs a method as the platform does: known method, then token, then arguments. */
function answer(received: Received, world: World): Reply {
  const { name, call } = received;
  const open = openMethods.get(name);
  if (open === undefined) return answerHolder(received, world);
  return call.ok ? { body: open.run(call.args, world) } : refusal(call.error);
}

function answerHolder({ name, request, call, body, publicUrl }: Received, world: World): Reply {
  const method = methods.get(name);
  if (method === undefined) return refusal('unknown_method');
  const args = call.ok ? call.args : {};
  const authentication = authenticate(
    bearerToken(request.headers.authorization) ?? textArgument(args, 'token'),
    world.installations,
  );
  if (!authentication.ok) return refusal(authentication.error);
  const { caller } = authentication;
  const headers = { 'X-OAuth-Scopes': world.installations.scopesOf(caller.workspace).join(',') };
  if (!call.ok) return { body: refuse(call.error), headers };
  const address = () => new URL('/', publicUrl ?? `http://${request.headers.host}`).href;
  return { body: method.run({ args, caller, bytes: Buffer.byteLength(body), address }, world), headers };
}

/** The outcome of a call for `GET /control/calls`. */
function outcomeOf({ body }: Reply): string {
  return body.ok ? 'ok' : body.error;
}

/**
 * Lets a fault answer instead of the method, or not answer.
 *
 * @param takeEffect runs the method; called only by faults that occur after the effect
 * @returns the outcome for `GET /control/calls`
 */
function misbehave(fault: AnsweringFault, response: ServerResponse, takeEffect: () => Reply): string {
  switch (fault.mode) {
    case 'status':
      response.writeHead(fault.value, { 'Content-Type': 'text/plain; charset=utf-8' });
      response.end('the platform is out of order');
      return `status_${fault.value}`;
    case 'rate_limited': {
      const headers: Record<string, string> = {};
      if (fault.value !== undefined) headers['Retry-After'] = String(fault.value);
      respond(response, 429, refuse('ratelimited'), headers);
      return fault.mode;
    }
    case 'error':
      respond(response, 200, refuse(fault.value));
      return fault.value;
    case 'reset_after':
    case 'silence_after':
      takeEffect();
      break;
    case 'reset_before':
    case 'silence_before':
      break;
  }
  // A silent call leaves its connection open until the caller times out.
  if (fault.mode === 'reset_before' || fault.mode === 'reset_after') response.socket?.resetAndDestroy();
  return fault.mode;
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  world: World,
  publicUrl: string | undefined,
): Promise<void> {
  const body = await readBody(request);
  if (body === undefined)
    return respond(response, 413, { ...refuse('bad_request'), message: 'request entity too large' });
  const { url = '', headers } = request;
  const [path = '', query = ''] = url.split('?', 2);
  const name = path.slice(webApiPath.length);
  const call = readArguments(headers['content-type'] ?? '', body, query);
  const channels = call.ok ? channelNames(call.args) : [];
  const record = world.calls.begin(name, channels[0] ?? null);
  const mishap = world.faults.meet(name, channels);
  if (mishap.delay > 0) await world.pause(mishap.delay);
  const takeEffect = () => answer({ name, request, response, call, body, publicUrl }, world);
  if (mishap.fault !== undefined) {
    record.outcome = misbehave(mishap.fault, response, takeEffect);
    return;
  }
  const reply = takeEffect();
  record.outcome = outcomeOf(reply);
  respond(response, 200, reply.body, reply.headers);
}

/**
 * The Web API: each method at its own name, for the official client and plain HTTP callers. Bulk sends are as fast as it
 * answers, and express took a third of that.
 */
export const webApi =
  (world: World, publicUrl: string | undefined): RequestListener =>
  (request, response) => {
    serve(request, response, world, publicUrl).catch((error) => {
      // A caller that left in the middle of its request gets no answer, and is no surprise.
      if (request.complete) respondToError(response, error);
    });
  };
