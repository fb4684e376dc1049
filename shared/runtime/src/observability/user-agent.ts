import { longestUserAgent } from '@stanza/contracts';
import { scrubbed } from './scrub.ts';

/** Characters that are scanned; the HTTP parser allows 16 KiB. */
const scannedLength = 2 * longestUserAgent;

const unprintable = /[^\x20-\x7e]+/g;

/** Longer than any product name: a misplaced token, also a cut one. */
const longWord = /[\w.~+/=-]{48,}/g;

/** A user agent for storage: one line of printable ASCII, cut, with secrets redacted. */
export const keptUserAgent = (header: string | undefined): string | null => {
  if (header === undefined) return null;
  const line = header.slice(0, scannedLength).replace(unprintable, ' ').trim();
  return line === '' ? null : scrubbed(line, {}).replace(longWord, '[redacted]').slice(0, longestUserAgent);
};
