import express, { type RequestHandler, type Router } from 'express';
import { z } from 'zod';
import { badInput } from '../bad-input.ts';
import { isSameSecret } from './clients.ts';
import { signInRouter } from './sign-in.ts';
import type { SigningKeys } from './signing-keys.ts';
import { type IdentitySettings, signToken, tokenLifeS } from './tokens.ts';

const tokenInput = z.strictObject({
  subject: z.string().min(1),
  email: z.string().optional(),
  email_verified: z.boolean().optional().describe('true by default when an address is given'),
  organization_id: z.string().optional(),
  environment: z.string().optional(),
  /** Seconds; a negative number makes an expired token. */
  expires_in: z.int().default(tokenLifeS),
  /** Further claims, which override all others: for tokens that should be refused. */
  claims: z.record(z.string(), z.unknown()).default({}),
});

type TokenInput = z.infer<typeof tokenInput>;

const rotateInput = z.strictObject({
  /** Keeps publishing the former keys. */
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

/**
 * Requires the secret: otherwise any client of this port could get any token, such as a page in a browser or a
 * destination of the service.
 */
const needsSecret =
  (secret: string | undefined): RequestHandler =>
  (request, response, next) => {
    if (secret === undefined) {
      const message = 'this provider makes no tokens: set STANZA_SANDBOX_IDENTITY_SECRET';
      return response.status(403).json({ ok: false, error: 'no_identity_secret', message });
    }
    const shown = /^Bearer +(\S+)$/i.exec(request.get('authorization') ?? '')?.[1] ?? '';
    if (isSameSecret(shown, secret)) return next();
    const message =
      'the secret of the provider is needed: Authorization: Bearer <identity_secret of stack.json>';
    return response.status(401).json({ ok: false, error: 'invalid_secret', message });
  };

/** An identity provider that issues any requested token to holders of its secret. For tests and people. */
export function identityRouter(keys: SigningKeys, settings: IdentitySettings, now: () => number): Router {
  const router = express.Router();
  router.get('/.well-known/jwks.json', (_request, response) => {
    response.json(keys.published());
  });
  router.post(['/token', '/rotate', '/end'], needsSecret(settings.secret));
  router.post('/token', express.json({ type: () => true }), async (request, response) => {
    const input = tokenInput.safeParse(request.body);
    if (!input.success) return response.status(400).json(badInput('token', input.error));
    const token = await signToken(keys, claimsOf(input.data, settings, now()));
    const { expires_in } = input.data;
    return response.json({ access_token: token, token_type: 'Bearer', expires_in });
  });
  router.post('/rotate', express.json({ type: () => true }), (request, response) => {
    const input = rotateInput.safeParse(request.body ?? {});
    if (!input.success) return response.status(400).json(badInput('rotation', input.error));
    return response.json({ kid: keys.rotate(input.data.keep).kid });
  });
  router.use(signInRouter({ keys, settings, now }));
  return router;
}
