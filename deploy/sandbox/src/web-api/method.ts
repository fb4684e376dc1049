import type { World } from '../world/world.ts';
import type { Arguments } from './arguments.ts';
import type { Caller } from './token.ts';

/** One authenticated call of a method. */
export interface Call {
  readonly args: Arguments;
  readonly caller: Caller;
  /** Where browsers reach the sandbox, with a slash at its end. */
  readonly address: () => string;
  /** Length of the request body in bytes. */
  readonly bytes: number;
}

/** The body of a successful answer. */
export interface Success {
  readonly ok: true;
  readonly [field: string]: unknown;
}

/** The body of a refusal; `error` is the platform's name for it. */
export interface Refusal {
  readonly ok: false;
  readonly error: string;
  readonly [field: string]: unknown;
}

/** A method of the Web API: its effect and its answer. */
export interface Method {
  /** As in the path, `chat.postMessage`. */
  readonly name: string;
  run(call: Call, world: World): Success | Refusal;
}

/** A method that is called without a token. */
export interface OpenMethod {
  readonly name: string;
  run(args: Arguments, world: World): Success | Refusal;
}

/** A refusal with only its name. */
export function refuse(error: string): Refusal {
  return { ok: false, error };
}
