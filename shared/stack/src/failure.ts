import { types } from 'node:util';

/** Something that keeps the stack from running, told to the person who started it. */
export class StackFailure extends Error {
  /** What to do about it, as one or more full sentences. */
  readonly advice: string;

  constructor(what: string, advice: string, options?: ErrorOptions) {
    super(what, options);
    this.name = 'StackFailure';
    this.advice = advice;
  }
}

/** The message of whatever was thrown. */
export const messageOf = (thrown: unknown): string =>
  types.isNativeError(thrown) ? thrown.message : String(thrown);

/** The code of a system or database error (`ENOENT`, `28P01`), if it has one. */
export const codeOf = (thrown: unknown): string | undefined =>
  typeof thrown === 'object' && thrown !== null && 'code' in thrown && typeof thrown.code === 'string'
    ? thrown.code
    : undefined;
