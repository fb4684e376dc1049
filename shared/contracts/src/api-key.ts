import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Environment } from './principal.ts';

const markers = { production: 'stz_live_', preview: 'stz_test_' } as const satisfies Record<
  Environment,
  string
>;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 32 symbols of 62: 190 bits, above the 160 bits that count as unguessable. */
const secretLength = 32;
/** 62^6 exceeds 2^32, so six symbols hold a CRC-32. */
const checksumLength = 6;
const shape = new RegExp(`^stz_(live|test)_[0-9A-Za-z]{${secretLength + checksumLength}}$`);

const checksum = (text: string): string => {
  let rest = crc32(text);
  let encoded = '';
  for (let place = 0; place < checksumLength; place += 1) {
    encoded = alphabet.charAt(rest % alphabet.length) + encoded;
    rest = Math.floor(rest / alphabet.length);
  }
  return encoded;
};

/** Uniformly random symbols: bytes that would favour the first symbols are discarded. */
const randomSymbols = (count: number): string => {
  const fair = 256 - (256 % alphabet.length);
  let drawn = '';
  while (drawn.length < count) {
    for (const byte of randomBytes(count * 2)) {
      if (byte < fair && drawn.length < count) drawn += alphabet.charAt(byte % alphabet.length);
    }
  }
  return drawn;
};

/** Makes a new API key of an environment: `stz_live_` or `stz_test_`, the secret, and a checksum of both. */
export const newApiKey = (environment: Environment): string => {
  const body = markers[environment] + randomSymbols(secretLength);
  return body + checksum(body);
};

/** True for the form of an API key with a matching checksum, so that a typing error costs no lookup. */
export const isApiKey = (text: string): boolean =>
  shape.test(text) && text.slice(-checksumLength) === checksum(text.slice(0, -checksumLength));

/** The part of a key that may be shown again: the marker and the first four symbols. */
export const apiKeyPrefix = (key: string): string => key.slice(0, markers.production.length + 4);

/** The lookup form of a key, which is sent and stored in its place: its SHA-256 in lower-case hex. */
export const apiKeyDigest = (key: string): string => hash('sha256', key);
