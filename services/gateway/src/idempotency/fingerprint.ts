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
 * The SHA-256 of a request's meaning. Key order, white space and camelCase make no difference. Defaults are left out,
 * so that a new default does not change old requests.
 */
export const fingerprintOf = ({ operation, params, query, body }: CanonicalRequest): Buffer =>
  createHash('sha256')
    .update(canonicalJson([operation, params ?? {}, query ?? {}, body ?? null]))
    .digest();
