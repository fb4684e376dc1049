import express, { type Request, type Response, type Router } from 'express';
import type { AnsweringFault } from '../faults/fault.ts';
import { findConversation } from '../world/directory.ts';
import type { World } from '../world/world.ts';
import { type Arguments, type ArgumentsResult, readArguments, textArgument } from './arguments.ts';
import { type Refusal, refuse, type Success } from './method.ts';
import { methods, openMethods } from './methods/index.ts';
import { authenticate, bearerToken } from './token.ts';

/** Maximum size of a body. */
const BODY_LIMIT = '2mb';

type Reply = Success | Refusal;

function queryText(request: Request): string {
  const start = request.url.indexOf('?');
  return start === -1 ? '' : request.url.slice(start + 1);
}

function bodyText(request: Request): string {
  return typeof request.body === 'string' ? request.body : '';
}

function readCall(request: Request): ArgumentsResult {
  return readArguments(request.get('content-type') ?? '', bodyText(request), queryText(request));
}

/** The ids of a call's conversation: as named, and that of the direct message for a person. */
function channelNames(args: Arguments): string[] {
  const named = textArgument(args, 'channel');
  if (named === undefined) return [];
  const id = findConversation(named)?.id;
  return id === undefined || id === named ? [named] : [named, id];
}

/** A call of a method as it arrived. */
interface Received {
  name: string;
  request: Request;
  response: Response;
  call: ArgumentsResult;
  /** Where browsers reach the sandbox, with a slash at its end. */
  address: string;
}

/** Runs a method as the platform does: known method, then token, then arguments. */
function answer(received: Received, world: World): Reply {
  const { name, call } = received;
  const open = openMethods.get(name);
  if (open === undefined) return answerHolder(received, world);
  return call.ok ? open.run(call.args, world) : refuse(call.error);
}

function answerHolder({ name, request, response, call, address }: Received, world: World): Reply {
  const method = methods.get(name);
  if (method === undefined) return refuse('unknown_method');
  const args = call.ok ? call.args : {};
  const authentication = authenticate(
    bearerToken(request.get('authorization')) ?? textArgument(args, 'token'),
    world.installations,
  );
  if (!authentication.ok) return refuse(authentication.error);
  const scopes = world.installations.scopesOf(authentication.caller.workspace);
  response.set('X-OAuth-Scopes', scopes.join(','));
  if (!call.ok) return refuse(call.error);
  const bytes = Buffer.byteLength(bodyText(request));
  return method.run({ args, caller: authentication.caller, bytes, address }, world);
}

/** The outcome of a call for `GET /control/calls`. */
function outcomeOf(reply: Reply): string {
  return reply.ok ? 'ok' : reply.error;
}

/**
 * Lets a fault answer instead of the method, or not answer.
 *
 * @param takeEffect runs the method; called only by faults that occur after the effect
 * @returns the outcome for `GET /control/calls`
 */
function misbehave(fault: AnsweringFault, response: Response, takeEffect: () => Reply): string {
  switch (fault.mode) {
    case 'status':
      response.status(fault.value).type('text/plain').send('the platform is out of order');
      return `status_${fault.value}`;
    case 'rate_limited':
      if (fault.value !== undefined) response.set('Retry-After', String(fault.value));
      response.status(429).json(refuse('ratelimited'));
      return fault.mode;
    case 'error':
      response.json(refuse(fault.value));
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
  { name, request, response, address }: Omit<Received, 'call'>,
  world: World,
): Promise<void> {
  const call = readCall(request);
  const channels = call.ok ? channelNames(call.args) : [];
  const record = world.calls.begin(name, channels[0] ?? null);
  const mishap = world.faults.meet(name, channels);
  if (mishap.delay > 0) await world.pause(mishap.delay);
  const takeEffect = () => answer({ name, request, response, call, address }, world);
  if (mishap.fault !== undefined) {
    record.outcome = misbehave(mishap.fault, response, takeEffect);
    return;
  }
  const reply = takeEffect();
  record.outcome = outcomeOf(reply);
  response.json(reply);
}

/** Where browsers reach the sandbox: the services may reach it by a name of their own. */
const addressOf = (request: Request, publicUrl: string | undefined): string =>
  new URL('/', publicUrl ?? `${request.protocol}://${request.get('host')}`).href;

/** The Web API: each method at its own name, for the official client and plain HTTP callers. */
export function webApiRouter(world: World, publicUrl: string | undefined): Router {
  const router = express.Router();
  router.use(express.text({ type: () => true, limit: BODY_LIMIT }));
  router.all('/:method', (request, response) => {
    const address = addressOf(request, publicUrl);
    return serve({ name: request.params.method, request, response, address }, world);
  });
  return router;
}
