import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { eventTexts } from '@stanza/contracts';

/** The lowest: higher ones take several times the CPU to save a tenth of the bytes. */
const params = { [constants.ZSTD_c_compressionLevel]: 1 };

/**
 * JSON texts as one compressed value: an array of them, by zstd. Postgres compresses as much in ten times the CPU, and
 * nothing below 2 KB.
 */
export const packTexts = (texts: readonly string[]): Buffer =>
  zstdCompressSync(`[${texts.join(',')}]`, { params });

/** The JSON array of packed events. */
export const unpackText = (packed: Buffer): string => zstdDecompressSync(packed).toString();

/** The contents of packed events, in order. */
export const unpackEvents = (packed: Buffer): Record<string, unknown>[] => JSON.parse(unpackText(packed));

/** The events of a push as they are stored, with what decides about them. */
export interface PackedPush {
  /** Of the JSON text of each. */
  bytes: number[];
  /** The `id` of each that has one, which no empty text is; undefined where none has. */
  keys?: (string | null)[];
  packed: Buffer;
}

/** Packs the events of a push. */
export const packPush = (events: readonly Record<string, unknown>[]): PackedPush => {
  const texts = eventTexts(events);
  const keys = events.map(({ id }) => (typeof id === 'string' && id !== '' ? id : null));
  return {
    bytes: texts.map((text) => Buffer.byteLength(text)),
    ...(keys.some((key) => key !== null) && { keys }),
    packed: packTexts(texts),
  };
};
