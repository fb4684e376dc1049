import { isObject, type JsonObject } from '../files/canonical.ts';
import { CommandProblem, faultIn } from '../problem.ts';

/** Milliseconds for a question to the gateway or the provider about signing in. */
const timeoutMs = 10_000;

/** An answer with an object of JSON. */
export interface Answer {
  readonly ok: boolean;
  readonly status: number;
  readonly content: JsonObject;
}

const parse = (text: string): JsonObject => {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    // A page of something in between: its status says enough.
    return {};
  }
};

/**
 * Asks for an object of JSON. Redirects are not followed: what is sent may be secret.
 * @throws CommandProblem where no answer comes
 */
export const fetchJson = async (url: string, init: RequestInit = {}): Promise<Answer> => {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { ...init, redirect: 'error', signal });
    const { ok, status } = response;
    return { ok, status, content: parse(await response.text()) };
  } catch (error) {
    throw new CommandProblem(
      `${new URL(url).origin} gives no answer: ${faultIn(error)}.`,
      'Correct the address, or try again in a minute.',
    );
  }
};

/** A text in an object; undefined where it is none. */
export const textIn = (object: JsonObject, name: string): string | undefined => {
  const { [name]: value } = object;
  return typeof value === 'string' && value !== '' ? value : undefined;
};
