import { CommandProblem } from '../problem.ts';
import { gatewayAt } from '../profiles.ts';
import { type Answer, fetchJson, textIn } from './json.ts';

/** Where people sign in for a gateway, and as which application. */
export interface Provider {
  readonly issuer: string;
  readonly clientId: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  /** Where a sign-in is ended; undefined where the provider does not offer it. */
  readonly revocationEndpoint: string | undefined;
}

/** What the provider has given for a sign-in. */
export interface Tokens {
  readonly accessToken: string;
  /** Undefined where the sign-in cannot be renewed. */
  readonly refreshToken: string | undefined;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** The provider has said no: the person has to sign in again. */
export class SignInEnded extends CommandProblem {
  constructor() {
    super('The sign-in has ended.', 'Run `stanza login` again.');
  }
}

const noSignIn = () =>
  new CommandProblem(
    'The gateway names no place where people sign in to the command.',
    'Give it an API key: stanza login --url <address> < key.txt. Its operator sets STANZA_COMMAND_CLIENT_ID for people.',
  );

const loopback = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Whether what is sent to an address can be read on the way by nobody else. */
const isPrivate = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname));

/** Refuses to send credentials in the clear. @throws CommandProblem for an address that is not https, nor on this machine */
export const requirePrivate = (url: string): void => {
  const parsed = URL.parse(url);
  if (parsed === null)
    throw new CommandProblem(`${url} is no address.`, 'It looks like https://stanza.example.com.');
  if (!isPrivate(parsed))
    throw new CommandProblem(
      `${parsed.origin} is not encrypted: others on the way could read your credentials.`,
      'Use https, or add --insecure on a network that you trust.',
    );
};

/** An address without its path; all names of this machine are one. */
const placeOf = (text: string): string | undefined => {
  const url = URL.parse(text);
  if (url === null) return undefined;
  if (loopback.has(url.hostname)) url.hostname = 'localhost';
  return url.origin;
};

/** An endpoint of the provider. What goes there is secret, so that it is encrypted, but on this machine. */
const endpoint = (text: string | undefined): string => {
  const url = text === undefined ? null : URL.parse(text);
  if (url !== null && isPrivate(url)) return url.href;
  throw new CommandProblem(
    `The identity provider names ${text ?? 'no address'} as an endpoint.`,
    'It has to be https, except on this machine.',
  );
};

/** Finds where people sign in, as the gateway says. @throws CommandProblem where it says nothing */
export const findProvider = async (url: string): Promise<Provider> => {
  const metadata = await fetchJson(`${gatewayAt(url)}/.well-known/oauth-protected-resource`);
  const [clientId, configuration] = ['stanza_command_client_id', 'stanza_openid_configuration'].map((name) =>
    textIn(metadata.content, name),
  );
  const { authorization_servers: servers } = metadata.content;
  const issuer: unknown = Array.isArray(servers) ? servers[0] : undefined;
  if (!metadata.ok || !clientId || !configuration || typeof issuer !== 'string') throw noSignIn();
  // RFC 9728, 3.3: metadata of another resource say where people sign in to that one.
  const resource = textIn(metadata.content, 'resource') ?? '';
  if (placeOf(resource) !== placeOf(url))
    throw new CommandProblem(
      `The gateway at ${url} calls itself ${resource || 'nothing'}.`,
      'Give --url as the gateway calls itself; its operator sets STANZA_CONSOLE_URL.',
    );
  const { content } = await fetchJson(endpoint(configuration));
  if (textIn(content, 'issuer') !== issuer)
    throw new CommandProblem(
      `${configuration} is not of ${issuer}, which the gateway names.`,
      'Tell the operator.',
    );
  const revocation = textIn(content, 'revocation_endpoint');
  return {
    issuer,
    clientId,
    authorizationEndpoint: endpoint(textIn(content, 'authorization_endpoint')),
    tokenEndpoint: endpoint(textIn(content, 'token_endpoint')),
    revocationEndpoint: revocation === undefined ? undefined : endpoint(revocation),
  };
};

const post = (url: string, fields: Record<string, string>): Promise<Answer> =>
  fetchJson(url, { method: 'POST', body: new URLSearchParams(fields) });

const tokensFrom = ({ ok, status, content }: Answer, before?: string): Tokens => {
  if (status === 400 || status === 401) throw new SignInEnded();
  const accessToken = textIn(content, 'access_token');
  if (!ok || accessToken === undefined)
    throw new CommandProblem(`The identity provider answered ${status}.`, 'Try again in a minute.');
  const { expires_in: life } = content;
  const lifeS = typeof life === 'number' && life > 0 ? life : 300;
  const refreshToken = textIn(content, 'refresh_token') ?? before;
  return { accessToken, refreshToken, expiresAt: Date.now() + lifeS * 1_000 };
};

/** Exchanges the code of a return. @throws SignInEnded where the provider refuses it */
export const exchangeCode = async (
  { tokenEndpoint, clientId }: Provider,
  { code, verifier, redirectUri }: { code: string; verifier: string; redirectUri: string },
): Promise<Tokens> =>
  tokensFrom(
    await post(tokenEndpoint, {
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      code_verifier: verifier,
      redirect_uri: redirectUri,
    }),
  );

/** Renews tokens. @throws SignInEnded where the provider refuses it */
export const renewTokens = async (
  { tokenEndpoint, clientId }: Pick<Provider, 'tokenEndpoint' | 'clientId'>,
  refreshToken: string,
): Promise<Tokens> =>
  tokensFrom(
    await post(tokenEndpoint, {
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: refreshToken,
    }),
    refreshToken,
  );

/** Ends a sign-in at the provider (RFC 7009). @returns whether it did */
export const revokeTokens = async (
  {
    revocationEndpoint,
    clientId,
  }: Partial<Pick<Provider, 'revocationEndpoint'>> & Pick<Provider, 'clientId'>,
  refreshToken: string | undefined,
): Promise<boolean> => {
  if (revocationEndpoint === undefined || refreshToken === undefined) return false;
  const fields = { client_id: clientId, token: refreshToken, token_type_hint: 'refresh_token' };
  return (await post(revocationEndpoint, fields)).ok;
};
