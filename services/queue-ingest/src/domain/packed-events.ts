import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** The lowest: higher ones take several times the CPU to save a tenth of the bytes. */
const params = { [constants.ZSTD_c_compressionLevel]: 1 };

/**
 * The contents of events as one compressed value: their JSON texts as an array, by zstd. Postgres compresses as much in
 * ten times the CPU, and nothing below 2 KB.
 */
export const pack = (events: readonly { json: string }[]): Buffer =>
  zstdCompressSync(`[${events.map((it) => it.json).join(',')}]`, { params });

/** The contents of packed events, in order. */
export const unpack = (packed: Buffer): Record<string, unknown>[] =>
  JSON.parse(zstdDecompressSync(packed).toString());

/** Digits of an id that count the events of a push. */
const countedDigits = 2;

const stemOf = (id: string): string => id.slice(0, -countedDigits);

/** The id of the first event of a push, from which those of the others derive. */
export const firstEventId = (id: string): string => `${stemOf(id)}00`;

/**
 * The id of an event of a push, by its place from 0 among those that the push adds; at 0 the first id itself, whatever it
 * is. A row that holds a whole push names them all by one id.
 */
export const eventIdAt = (firstId: string, at: number): string =>
  at === 0 ? firstId : `${stemOf(firstId)}${at.toString(16).padStart(countedDigits, '0')}`;
