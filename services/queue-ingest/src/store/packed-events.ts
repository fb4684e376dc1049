import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { PushedEvent } from '../domain/push.ts';

/** The lowest: higher ones take several times the CPU to save a tenth of the bytes. */
const params = { [constants.ZSTD_c_compressionLevel]: 1 };

/**
 * The contents of events as one compressed value: their JSON texts as an array, by zstd. Postgres compresses as much in
 * ten times the CPU, and nothing below 2 KB.
 */
export const pack = (events: readonly Pick<PushedEvent, 'json'>[]): Buffer =>
  zstdCompressSync(`[${events.map((it) => it.json).join(',')}]`, { params });

/** The contents of packed events, in order. */
export const unpack = (packed: Buffer): Record<string, unknown>[] =>
  JSON.parse(zstdDecompressSync(packed).toString());
