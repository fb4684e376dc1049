import { hash } from 'node:crypto';
import { CodedError } from '@stanza/contracts';
import { type Clock, upTo } from '@stanza/runtime';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { ZodError } from 'zod';
import { type ClaimNames, clockToleranceS, readSession, type Session } from './claims.ts';
import { ProviderUnreachable } from './fetch-key-set.ts';
import type { KeySet, ProviderKeys } from './provider-keys.ts';

/** Cached verifications; at about 1 KB each they stay under 10 MB. */
const remembered = 10_000;

/** Which tokens are accepted. */
export interface SessionRules {
  issuer: string;
  audience: string;
  /** That of tokens which agents have for `/mcp`; undefined where there are none. */
  agentAudience?: string | undefined;
  /** Asymmetric algorithms only; the token's own claim about it is never trusted. */
  algorithms: readonly string[];
  /** Accepted values of `typ`; see {@link isOfType}. */
  types: readonly string[];
  claims: ClaimNames;
}

/**
 * Verifies a session token and returns its claims.
 * @throws CodedError `invalid_token`, or `service_unavailable` while the keys are unavailable
 */
export type VerifySession = (token: string) => Promise<Session>;

const expired = 'The session token has expired; sign in again.';

const wrongType =
  'The token is not a session token: its header `typ` names another type, or it reports an event.';

const claimMessage: Record<string, string> = {
  iss: 'The session token is from another issuer than the identity provider of this service.',
  aud: 'The session token is for another audience than this service.',
  nbf: 'The session token is not valid yet.',
};

const badClaim = (claim: string): string =>
  claimMessage[claim] ?? `The claim ${claim} of the session token is missing or malformed.`;

const messageFor = (error: unknown): string | undefined => {
  if (error instanceof errors.JWTExpired) return expired;
  if (error instanceof errors.JWTClaimValidationFailed) return badClaim(error.claim);
  if (error instanceof ZodError) return badClaim(error.issues[0]?.path.join('.') ?? '');
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWSSignatureVerificationFailed) {
    return 'The session token is not signed by a key of the identity provider.';
  }
  if (error instanceof errors.JOSEAlgNotAllowed)
    return 'The signature algorithm of the session token is not accepted.';
  return error instanceof errors.JOSEError ? 'The session token cannot be read.' : undefined;
};

const refusal = (error: unknown): unknown => {
  const cause = { cause: error };
  if (error instanceof ProviderUnreachable) {
    const message = 'Session tokens cannot be verified at the moment; nothing was done.';
    return new CodedError('service_unavailable', { message, retry_after: 1 }, cause);
  }
  const message = messageFor(error);
  return message === undefined ? error : new CodedError('invalid_token', { message }, cause);
};

interface Verified {
  session: Session;
  /** The keys that verified it; once they change, it is verified again. */
  by: KeySet;
}

/**
 * Verifies session tokens against the keys of the identity provider. A verification costs an eighth of a millisecond
 * (ES256), a cached one a hundredth of that; the expiry is checked at each use.
 */
export const verifySession = (
  { issuer, audience, agentAudience, algorithms, types, claims }: SessionRules,
  { keys, clock }: { keys: ProviderKeys; clock: Clock },
): VerifySession => {
  const verified = new LRUCache<string, Verified>(upTo(remembered));

  const verify = async (token: string): Promise<Verified> => {
    let by: KeySet | undefined;
    const { payload, protectedHeader } = await jwtVerify(
      token,
      async (header, jws) => {
        by = await keys.holding(header, jws);
        return by.find(header, jws);
      },
      {
        issuer,
        audience: agentAudience === undefined ? audience : [audience, agentAudience],
        algorithms: [...algorithms],
        requiredClaims: ['exp', 'sub'],
        clockTolerance: clockToleranceS,
        currentDate: clock.now(),
      },
    );
    if (!isOfType(protectedHeader.typ, types) || isSecurityEvent(payload)) {
      throw new CodedError('invalid_token', { message: wrongType });
    }
    if (by === undefined) throw new Error('the token was verified without a key');
    return { session: readSession(payload, claims, agentAudience), by };
  };

  return async (token) => {
    try {
      const digest = hash('sha256', token, 'base64');
      const known = verified.get(digest);
      if (known?.by === (await keys.current())) {
        if (known.session.expiresAt > clock.now().getTime()) return known.session;
        throw new CodedError('invalid_token', { message: expired });
      }
      const found = await verify(token);
      verified.set(digest, found);
      return found.session;
    } catch (error) {
      throw refusal(error);
    }
  };
};

/** RFC 7515, 4.1.9: `application/` may be omitted where no other slash occurs; media types are case-insensitive. */
const mediaType = (type: string): string => {
  const lower = type.toLowerCase();
  return lower.includes('/') ? lower : `application/${lower}`;
};

/**
 * Whether `typ` is one of the accepted types (RFC 8725, 3.11), so that a token issued for another purpose, with the
 * same key and audience, is not accepted as a session. A token without `typ` counts as a JWT: Okta and Cognito omit it.
 */
export const isOfType = (typ: string | undefined, accepted: readonly string[]): boolean => {
  const type = mediaType(typ ?? 'JWT');
  return accepted.some((it) => mediaType(it) === type);
};

/**
 * Whether a token reports an event (RFC 8417), such as a logout. The claim `events` identifies these, since older
 * providers write `JWT` in their headers.
 */
export const isSecurityEvent = ({ events }: JWTPayload): boolean => events !== undefined;
