import { createHash, randomBytes } from 'node:crypto';
import { CommandProblem } from '../problem.ts';
import type { Terminal } from '../terminal.ts';
import { awaitReturn } from './await-return.ts';
import { exchangeCode, type Provider, type Tokens } from './provider.ts';

const random = (): string => randomBytes(32).toString('base64url');

const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

const authorizationUrl = (
  { authorizationEndpoint, clientId }: Provider,
  { state, verifier, redirectUri }: { state: string; verifier: string; redirectUri: string },
): string => {
  const url = new URL(authorizationEndpoint);
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'openid email offline_access',
    state,
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
};

/** Refuses a return of another sign-in, or from another provider (RFC 9207). */
const checkReturn = (query: URLSearchParams, state: string, issuer: string): void => {
  const from = query.get('iss');
  if (query.get('state') !== state || (from !== null && from !== issuer))
    throw new CommandProblem('This is not the sign-in that is waited for.', 'Run `stanza login` again.');
};

/** Signs a person in: their browser goes to the provider and comes back to a port of this machine with a code. */
export const signIn = async (
  provider: Provider,
  { browse, signal }: Pick<Terminal, 'browse' | 'signal'>,
): Promise<Tokens> => {
  const [state, verifier] = [random(), random()];
  await using returning = await awaitReturn((query) => checkReturn(query, state, provider.issuer));
  const { redirectUri } = returning;
  browse(authorizationUrl(provider, { state, verifier, redirectUri }));
  const query = await returning.arrived(signal);
  const code = query.get('code');
  if (code === null)
    throw new CommandProblem(
      `The identity provider did not sign you in: ${query.get('error') ?? 'it gave no code'}.`,
      'Run `stanza login` again.',
    );
  return exchangeCode(provider, { code, verifier, redirectUri });
};
