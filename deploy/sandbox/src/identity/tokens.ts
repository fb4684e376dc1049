import { SignJWT } from 'jose';
import { algorithm, type SigningKeys } from './signing-keys.ts';

/** Whose tokens the provider makes, and for which service. */
export interface IdentitySettings {
  /** `iss` of its tokens. It names the provider and need not be where it answers. */
  readonly issuer: string;
  /** `aud` of its tokens. */
  readonly audience: string;
  /** What a request for a token shows, and the console at the token endpoint; without it no tokens are made. */
  readonly secret?: string | undefined;
  /** Where browsers reach the provider, if not where the services do, such as `http://127.0.0.1:8788/identity`. */
  readonly publicUrl?: string | undefined;
  /** Addresses a code may be sent to besides those of this machine. */
  readonly redirects?: readonly string[];
}

/** Seconds for which a token is good where nothing else is said. */
export const tokenLifeS = 3_600;

/** Signs claims with the current key as a JWT. */
export const signToken = (keys: SigningKeys, claims: Record<string, unknown>): Promise<string> => {
  const { kid, privateKey } = keys.current;
  return new SignJWT(claims).setProtectedHeader({ alg: algorithm, kid, typ: 'JWT' }).sign(privateKey);
};

const isAddress = (subject: string): boolean => /^[^\s@]+@[^\s@]+$/.test(subject);

/** What both tokens of a sign-in say of its person; a subject that is an address is a verified one. */
const personClaims = (subject: string, issuer: string, now: number) => {
  const iat = Math.floor(now / 1000);
  return {
    iss: issuer,
    sub: subject,
    iat,
    exp: iat + tokenLifeS,
    ...(isAddress(subject) ? { email: subject, email_verified: true } : {}),
  };
};

/**
 * The answer of the token endpoint but for the refresh token: an access token for the service, an ID token for the client.
 */
export const tokensOf = async (
  { subject, clientId, nonce }: { subject: string; clientId: string; nonce: string | undefined },
  { keys, settings, now }: { keys: SigningKeys; settings: IdentitySettings; now: number },
) => {
  const person = personClaims(subject, settings.issuer, now);
  const [access_token, id_token] = await Promise.all([
    signToken(keys, { ...person, aud: settings.audience, azp: clientId }),
    signToken(keys, { ...person, aud: clientId, ...(nonce === undefined ? {} : { nonce }) }),
  ]);
  return { access_token, id_token, token_type: 'Bearer', expires_in: tokenLifeS };
};
