import * as client from 'openid-client';
import { z } from 'zod';
import { clockToleranceS } from '../access/sessions/claims.ts';
import { sessionHours } from '../store/console-sessions.ts';

/** How the provider is found, and as whom the console asks it. */
export interface ProviderSettings {
  issuer: string;
  discoveryUrl: string;
  clientId: string;
  clientSecret: string | undefined;
  /** Where the provider sends people back to. */
  redirectUri: string;
}

/** What the browser keeps between leaving for the provider and coming back. */
export interface SignInChecks {
  state: string;
  nonce: string;
  verifier: string;
}

/** Who signed in, as the provider says. */
export interface SignedIn {
  subject: string;
  email: string | null;
  email_verified: boolean;
  /** Renews the sign-in; undefined where the provider gives none. */
  refreshToken: string | undefined;
  /** Seconds until the provider is to be asked again. */
  lifeS: number;
}

/** What the provider says of a person when it is asked again. */
export interface Renewed {
  refreshToken: string;
  /** Seconds until the provider is to be asked again. */
  lifeS: number;
  /** Undefined where the provider does not repeat it. */
  address: Pick<SignedIn, 'email' | 'email_verified'> | undefined;
}

/** The provider refuses: the person was removed, the code is used, a check failed. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';
}

/** The provider could not be reached, or does not answer as OpenID Connect has it. */
export class ProviderAway extends Error {
  override readonly name = 'ProviderAway';
}

/** Seconds between two questions to the provider about one session, at the least and at the most. */
const lifeBoundsS = { least: 60, most: 3_600 };
/** Milliseconds that the provider may take. */
const timeoutMs = 5_000;
/** Bytes of its metadata; real ones have some thousands. */
const largest = 256 * 1024;

const metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  id_token_signing_alg_values_supported: z.array(z.string()).optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
});

const identity = z.object({
  sub: z.string().regex(/^[\x20-\x7e]{1,255}$/),
  email: z.email().max(320).nullable().catch(null).default(null),
  email_verified: z.boolean().catch(false).default(false),
});

type Tokens = Awaited<ReturnType<typeof client.refreshTokenGrant>>;

/** The claims of the ID token. An address counts as verified only where the provider says so outright. */
const identityOf = (tokens: Tokens): z.output<typeof identity> => {
  const { sub, email, email_verified } = identity.parse(tokens.claims());
  return { sub, email, email_verified: email !== null && email_verified };
};

const readMetadata = async (url: string): Promise<z.output<typeof metadata>> => {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await response.text();
  if (!response.ok || text.length > largest) throw new Error(`the metadata answered ${response.status}`);
  return metadata.parse(JSON.parse(text));
};

/** Errors of the token endpoint that mean no; every other failure says nothing about the person. */
const refusals = new Set(['invalid_grant', 'access_denied', 'interaction_required', 'login_required']);

const isRefusal = (error: unknown): boolean =>
  (error instanceof client.ResponseBodyError && refusals.has(error.error)) ||
  error instanceof client.AuthorizationResponseError ||
  (error instanceof client.ClientError &&
    typeof error.code === 'string' &&
    /^OAUTH_(INVALID_RESPONSE|JWT_|KEY_)/.test(error.code));

/** The console's side of the identity provider: authorization code with PKCE, state and nonce, and refresh tokens. */
export class ConsoleProvider {
  readonly #settings: ProviderSettings;
  #found: Promise<client.Configuration> | undefined;

  constructor(settings: ProviderSettings) {
    this.#settings = settings;
  }

  /**
   * The address at which a person signs in, and the checks for their return.
   * @throws ProviderAway
   */
  async begin(): Promise<{ url: string; checks: SignInChecks }> {
    const checks = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };
    const url = client.buildAuthorizationUrl(await this.#configuration(), {
      redirect_uri: this.#settings.redirectUri,
      scope: 'openid email offline_access',
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, checks };
  }

  /**
   * Exchanges the code of a return.
   * @param query what the provider put into the address
   * @throws SignInRefused, ProviderAway
   */
  async finish(query: string, { state, nonce, verifier }: SignInChecks): Promise<SignedIn> {
    const returned = new URL(`${this.#settings.redirectUri}${query}`);
    return this.#asked(async (configuration) => {
      const tokens = await client.authorizationCodeGrant(configuration, returned, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      return this.#signedIn(tokens);
    });
  }

  /**
   * Asks whether a person may still sign in.
   * @throws SignInRefused, ProviderAway
   */
  async renew(refreshToken: string, subject: string): Promise<Renewed> {
    return this.#asked(async (configuration) => {
      const tokens = await client.refreshTokenGrant(configuration, refreshToken);
      const claims = tokens.claims();
      if (claims !== undefined && claims.sub !== subject)
        throw new SignInRefused('another person was renewed');
      const { email, email_verified } = claims?.email === undefined ? {} : identityOf(tokens);
      return {
        refreshToken: tokens.refresh_token ?? refreshToken,
        lifeS: lifeOf(tokens, true),
        address: email === undefined ? undefined : { email, email_verified: email_verified === true },
      };
    });
  }

  async #asked<T>(ask: (configuration: client.Configuration) => Promise<T>): Promise<T> {
    const configuration = await this.#configuration();
    try {
      return await ask(configuration);
    } catch (error) {
      if (error instanceof SignInRefused) throw error;
      if (isRefusal(error)) throw new SignInRefused('the identity provider refused', { cause: error });
      throw new ProviderAway('the identity provider could not be asked', { cause: error });
    }
  }

  #signedIn(tokens: Tokens): SignedIn {
    const { sub, email, email_verified } = identityOf(tokens);
    const { refresh_token: refreshToken } = tokens;
    const lifeS = lifeOf(tokens, refreshToken !== undefined);
    return { subject: sub, email, email_verified, refreshToken, lifeS };
  }

  /** Read once; after a failure again. */
  #configuration(): Promise<client.Configuration> {
    this.#found ??= this.#discover().catch((cause) => {
      this.#found = undefined;
      throw new ProviderAway('the metadata of the identity provider could not be read', { cause });
    });
    return this.#found;
  }

  async #discover(): Promise<client.Configuration> {
    const { issuer, discoveryUrl, clientId, clientSecret } = this.#settings;
    const found = await readMetadata(discoveryUrl);
    if (found.issuer !== issuer) {
      throw new Error(`the metadata are of ${found.issuer}, and STANZA_SESSION_ISSUER names ${issuer}`);
    }
    const authentication =
      clientSecret === undefined ? client.None() : client.ClientSecretBasic(clientSecret);
    const configuration = new client.Configuration(
      found,
      clientId,
      { [client.clockTolerance]: clockToleranceS },
      authentication,
    );
    configuration.timeout = timeoutMs / 1_000;
    // The address is an operator's, and a provider on this machine or inside a cluster may have no certificate.
    if (new URL(found.token_endpoint).protocol === 'http:') client.allowInsecureRequests(configuration);
    return configuration;
  }
}

/**
 * Seconds for which tokens vouch for a person. With a refresh token the provider is asked again within the hour; without
 * one it cannot be asked, and the session is as long as the token.
 */
export const lifeOf = (
  { expires_in = lifeBoundsS.most }: { expires_in?: number | undefined },
  isRenewable: boolean,
): number => {
  const most = isRenewable ? lifeBoundsS.most : sessionHours.absolute * 3_600;
  return Math.min(Math.max(expires_in, lifeBoundsS.least), most);
};
