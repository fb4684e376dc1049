import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/** The parts of a request with canonical names, before defaults are filled in. */
export interface CanonicalRequest {
  /** Id of the operation. */
  operation: string;
  params: unknown;
  query: unknown;
  body: unknown;
}

/**
 * The SHA-256 of what a request asks for. Two spellings of one request have the same: key order, white space and
 * camelCase make no difference. Defaults count as not given, so that a new default does not change old requests.
 */
export const fingerprintOf = ({ operation, params, query, body }: CanonicalRequest): Buffer =>
  createHash('sha256')
    .update(canonicalJson([operation, params ?? {}, query ?? {}, body ?? null]))
    .digest();
