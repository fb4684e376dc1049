import { longestUserAgent } from '@stanza/contracts';
import { scrubbed } from './scrub.ts';

/** Characters that are looked at: what a client sends is bounded by the parser alone, at 16 KiB. */
const looked = 2 * longestUserAgent;

const unprintable = /[^\x20-\x7e]+/g;

/** Longer than any product name: a token that somebody put where it does not belong, also one that was cut. */
const longWord = /[\w.~+/=-]{48,}/g;

/** A user agent as it may be kept: one line of printable ASCII, cut, without what looks like a secret. */
export const keptUserAgent = (header: string | undefined): string | null => {
  if (header === undefined) return null;
  const line = header.slice(0, looked).replace(unprintable, ' ').trim();
  return line === '' ? null : scrubbed(line, {}).replace(longWord, '[redacted]').slice(0, longestUserAgent);
};
