import { createHash, timingSafeEqual } from 'node:crypto';
import express, { type RequestHandler, type Router } from 'express';
import { SignJWT } from 'jose';
import { z } from 'zod';
import { badInput } from '../control/bad-input.ts';
import { algorithm, type SigningKeys } from './signing-keys.ts';

/** Whose tokens the provider makes, and for whom. */
export interface IdentitySettings {
  /** `iss` of its tokens. It names the provider and need not be where it answers. */
  readonly issuer: string;
  /** `aud` of its tokens. */
  readonly audience: string;
  /** What asks for a token shows; without it the provider makes none. */
  readonly secret?: string | undefined;
}

const tokenInput = z.strictObject({
  subject: z.string().min(1),
  email: z.string().optional(),
  email_verified: z.boolean().optional().describe('true where there is an address and nothing else is said'),
  organization_id: z.string().optional(),
  environment: z.string().optional(),
  /** Seconds; below 0 it has expired already. */
  expires_in: z.int().default(3_600),
  /** Further claims, which go before all others: for tokens that should be refused. */
  claims: z.record(z.string(), z.unknown()).default({}),
});

type TokenInput = z.infer<typeof tokenInput>;

const rotateInput = z.strictObject({
  /** Goes on publishing the keys before. */
  keep: z.boolean().default(true),
});

function claimsOf(input: TokenInput, { issuer, audience }: IdentitySettings, now: number) {
  const { subject, email, organization_id, environment, expires_in, claims } = input;
  const at = Math.floor(now / 1000);
  return {
    iss: issuer,
    aud: audience,
    sub: subject,
    iat: at,
    exp: at + expires_in,
    ...(email === undefined ? {} : { email, email_verified: input.email_verified ?? true }),
    ...(organization_id === undefined ? {} : { organization_id }),
    ...(environment === undefined ? {} : { environment }),
    ...claims,
  };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whatever reaches this port could else ask for a token of anybody: a page in a browser, a destination of the service. */
const needsSecret =
  (secret: string | undefined): RequestHandler =>
  (request, response, next) => {
    if (secret === undefined) {
      const message = 'this provider makes no tokens: set STANZA_SANDBOX_IDENTITY_SECRET';
      return response.status(403).json({ ok: false, error: 'no_identity_secret', message });
    }
    const shown = /^Bearer +(\S+)$/i.exec(request.get('authorization') ?? '')?.[1] ?? '';
    if (timingSafeEqual(digest(shown), digest(secret))) return next();
    const message =
      'the secret of the provider is needed: Authorization: Bearer <identity_secret of stack.json>';
    return response.status(401).json({ ok: false, error: 'invalid_secret', message });
  };

/** An identity provider that believes whatever it is told, to those who show its secret. For tests and people. */
export function identityRouter(keys: SigningKeys, settings: IdentitySettings, now: () => number): Router {
  const router = express.Router();
  router.get('/.well-known/jwks.json', (_request, response) => {
    response.json(keys.published());
  });
  router.post(['/token', '/rotate'], needsSecret(settings.secret));
  router.post('/token', express.json({ type: () => true }), async (request, response) => {
    const input = tokenInput.safeParse(request.body);
    if (!input.success) return response.status(400).json(badInput('token', input.error));
    const { kid, privateKey } = keys.current;
    const token = await new SignJWT(claimsOf(input.data, settings, now()))
      .setProtectedHeader({ alg: algorithm, kid, typ: 'JWT' })
      .sign(privateKey);
    const { expires_in } = input.data;
    return response.json({ access_token: token, token_type: 'Bearer', expires_in });
  });
  router.post('/rotate', express.json({ type: () => true }), (request, response) => {
    const input = rotateInput.safeParse(request.body ?? {});
    if (!input.success) return response.status(400).json(badInput('rotation', input.error));
    return response.json({ kid: keys.rotate(input.data.keep).kid });
  });
  return router;
}
