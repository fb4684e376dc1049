import type { JWTPayload } from 'jose';

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
