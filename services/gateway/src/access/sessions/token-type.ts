import type { JWTPayload } from 'jose';

/** RFC 7515, 4.1.9: `application/` may be left out where no other slash stands; media types have no case. */
const mediaType = (type: string): string => {
  const lower = type.toLowerCase();
  return lower.includes('/') ? lower : `application/${lower}`;
};

/**
 * Whether `typ` says one of the accepted types (RFC 8725, 3.11), so that a token which the provider has made for another
 * purpose, with the same key and for the same audience, is no session. A token without `typ` counts as a JWT: Okta and
 * Cognito leave it out.
 */
export const isOfType = (typ: string | undefined, accepted: readonly string[]): boolean => {
  const type = mediaType(typ ?? 'JWT');
  return accepted.some((it) => mediaType(it) === type);
};

/**
 * Whether a token reports an event (RFC 8417), such as a logout: those are told apart by the claim `events`, for older
 * providers say `JWT` in their headers.
 */
export const isSecurityEvent = ({ events }: JWTPayload): boolean => events !== undefined;
