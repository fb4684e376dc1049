import express, { type Request, type Response, type Router } from 'express';
import { z } from 'zod';
import { refuseOnScreen, showScreen } from '../screen.ts';
import {
  commandClientId,
  consoleClientId,
  type IdentityClient,
  isProven,
  isRedirectAllowed,
} from './clients.ts';
import { SignIns } from './grants.ts';
import { demoPeople } from './people.ts';
import { signInScreen } from './screen.ts';
import type { SigningKeys } from './signing-keys.ts';
import { type IdentitySettings, tokensOf } from './tokens.ts';

const asked = z.object({
  client_id: z.enum([consoleClientId, commandClientId], { error: 'client_id names no application' }),
  redirect_uri: z.url({ protocol: /^https?$/, error: 'redirect_uri is no address' }),
  response_type: z.literal('code', { error: 'response_type is not code' }),
  scope: z.string().default('openid'),
  state: z.string().default(''),
  nonce: z.string().optional(),
  code_challenge: z.string().regex(/^[\w-]{43}$/, 'code_challenge is missing: PKCE is required'),
  code_challenge_method: z.literal('S256', { error: 'code_challenge_method is not S256' }),
});

type Asked = z.output<typeof asked>;

const decided = asked.extend({ subject: z.string().min(1).max(320) });

const exchanged = z.discriminatedUnion('grant_type', [
  z.object({
    grant_type: z.literal('authorization_code'),
    code: z.string(),
    redirect_uri: z.string(),
    code_verifier: z.string(),
    client_id: z.string().optional(),
    client_secret: z.string().optional(),
  }),
  z.object({
    grant_type: z.literal('refresh_token'),
    refresh_token: z.string(),
    client_id: z.string().optional(),
    client_secret: z.string().optional(),
  }),
]);

const revoked = z.object({
  token: z.string(),
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
});

/** The parts that signing in works with. */
interface Dependencies {
  keys: SigningKeys;
  settings: IdentitySettings;
  now: () => number;
}

/** Where this provider answers, as browsers and services see it. */
const baseOf = (request: Request): string => `${request.protocol}://${request.get('host')}${request.baseUrl}`;

const discovery = (request: Request, { issuer, publicUrl }: IdentitySettings) => {
  const base = baseOf(request);
  return {
    issuer,
    authorization_endpoint: `${publicUrl ?? base}/authorize`,
    token_endpoint: `${base}/oauth/token`,
    revocation_endpoint: `${base}/oauth/revoke`,
    jwks_uri: `${base}/.well-known/jwks.json`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    subject_types_supported: ['public'],
    scopes_supported: ['openid', 'email', 'offline_access'],
    id_token_signing_alg_values_supported: ['ES256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  };
};

/** Id and secret of a client from the Authorization header (RFC 6749, 2.3.1), or from the body. */
const shownBy = (
  request: Request,
  body: { client_id?: string | undefined; client_secret?: string | undefined },
) => {
  const basic = /^Basic +(\S+)$/i.exec(request.get('authorization') ?? '')?.[1];
  if (basic === undefined) return { id: body.client_id, secret: body.client_secret };
  const [id = '', secret = ''] = Buffer.from(basic, 'base64')
    .toString()
    .split(':', 2)
    .map(decodeURIComponent);
  return { id, secret };
};

const backTo = ({ redirect_uri, state }: Asked, answer: Readonly<Record<string, string>>): string => {
  const url = new URL(redirect_uri);
  for (const [name, value] of Object.entries({ ...answer, state })) url.searchParams.set(name, value);
  return url.href;
};

const textFields = (input: Asked): Record<string, string> =>
  Object.fromEntries(Object.entries(input).flatMap(([name, value]) => (value ? [[name, value]] : [])));

/**
 * Signing in as OpenID Connect has it: discovery, a screen on which a person chooses who they are, a code with PKCE,
 * tokens for it, and refresh tokens that work once.
 */
export function signInRouter(dependencies: Dependencies): Router {
  const { settings, now } = dependencies;
  const signIns = new SignIns(now);
  const clients: readonly IdentityClient[] =
    settings.secret === undefined
      ? []
      : [
          { id: consoleClientId, secret: settings.secret },
          { id: commandClientId, secret: undefined },
        ];
  const form = express.urlencoded({ extended: false, limit: '16kb' });
  const router = express.Router();

  const wrongRedirect = ({ redirect_uri }: Asked): boolean =>
    !isRedirectAllowed(redirect_uri, settings.redirects ?? []);

  router.get('/.well-known/openid-configuration', (request, response) => {
    response.json(discovery(request, settings));
  });

  router.get('/authorize', (request, response) => {
    const input = asked.safeParse(request.query);
    if (!input.success) return refuseOnScreen(response, z.prettifyError(input.error));
    if (wrongRedirect(input.data)) return refuseOnScreen(response, 'redirect_uri is not registered');
    const { origin } = new URL(input.data.redirect_uri);
    return showScreen(response, 200, signInScreen(demoPeople, textFields(input.data)), `'self' ${origin}`);
  });

  router.post('/authorize', form, (request, response) => {
    if (request.get('sec-fetch-site') === 'cross-site') {
      return refuseOnScreen(response, 'Another site sent this form.');
    }
    const input = decided.safeParse(request.body);
    if (!input.success) return refuseOnScreen(response, z.prettifyError(input.error));
    if (wrongRedirect(input.data)) return refuseOnScreen(response, 'redirect_uri is not registered');
    const { client_id: clientId, redirect_uri: redirectUri, code_challenge: challenge } = input.data;
    const { subject, nonce } = input.data;
    const code = signIns.code({ clientId, redirectUri, challenge, subject, nonce });
    return response.redirect(303, backTo(input.data, { code, iss: settings.issuer }));
  });

  const deny = (response: Response, status: number, error: string) =>
    response.status(status).set('Cache-Control', 'no-store').json({ error });

  router.post('/oauth/token', form, async (request, response) => {
    const input = exchanged.safeParse(request.body);
    if (!input.success) return deny(response, 400, 'invalid_request');
    const shown = shownBy(request, input.data);
    const client = clients.find(({ id }) => id === shown.id);
    if (client === undefined || !isProven(client, shown.secret)) return deny(response, 401, 'invalid_client');
    const signIn =
      input.data.grant_type === 'refresh_token'
        ? signIns.renew(input.data.refresh_token, client.id)
        : signIns.exchange(input.data.code, {
            clientId: client.id,
            redirectUri: input.data.redirect_uri,
            verifier: input.data.code_verifier,
          });
    if (signIn === undefined) return deny(response, 400, 'invalid_grant');
    const tokens = await tokensOf(signIn, { ...dependencies, now: now() });
    return response
      .set('Cache-Control', 'no-store')
      .json({ ...tokens, refresh_token: signIns.refreshToken(signIn) });
  });

  router.post('/oauth/revoke', form, (request, response) => {
    const input = revoked.safeParse(request.body);
    if (!input.success) return deny(response, 400, 'invalid_request');
    const shown = shownBy(request, input.data);
    const client = clients.find(({ id }) => id === shown.id);
    if (client === undefined || !isProven(client, shown.secret)) return deny(response, 401, 'invalid_client');
    // RFC 7009, 2.2: revoking an unknown token is no error.
    signIns.renew(input.data.token, client.id);
    return response.status(200).end();
  });

  const ended = z.strictObject({ subject: z.string().min(1) });
  router.post('/end', express.json({ type: () => true }), (request, response) => {
    const input = ended.safeParse(request.body);
    if (!input.success) return deny(response, 400, 'invalid_request');
    return response.json({ ended: signIns.end(input.data.subject) });
  });
  return router;
}
