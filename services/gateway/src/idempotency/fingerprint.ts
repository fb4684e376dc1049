import { createHash } from 'node:crypto';
import type { CanonicalRequest } from '../http/request-context.ts';

/**
 * The SHA-256 of a request's meaning. Key order, white space and camelCase make no difference. Defaults are left out,
 * so that a new default does not change old requests.
 */
export const fingerprintOf = ({ operation, params, query, body }: CanonicalRequest): Buffer =>
  createHash('sha256')
    .update(canonicalJson([operation, params ?? {}, query ?? {}, body ?? null]))
    .digest();

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The JSON text of a value with sorted keys: equal values have equal texts. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const members = Object.keys(value)
    .sort()
    .filter((key) => value[key] !== undefined)
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
  return `{${members.join(',')}}`;
};
