import type { Clock, Logger } from '@stanza/runtime';
import type { GatewaySettings } from '../../config.ts';
import { fetchKeySet } from './fetch-key-set.ts';
import { ProviderKeys } from './provider-keys.ts';
import { type VerifySession, verifySession } from './verify-session.ts';

/** Makes the verifier of session tokens for the configured identity provider; undefined without one. */
export const sessionVerifier = (
  settings: GatewaySettings,
  { clock, log }: { clock: Clock; log: Logger },
): VerifySession | undefined => {
  const {
    STANZA_SESSION_ISSUER: issuer,
    STANZA_SESSION_AUDIENCE: audience,
    STANZA_MCP_AUDIENCE: given,
    STANZA_CONSOLE_URL: origin,
    STANZA_SESSION_JWKS_URL: url,
    STANZA_SESSION_ALGORITHMS: algorithms,
    STANZA_SESSION_TYPES: types,
    STANZA_SESSION_ORGANIZATION_CLAIM: organization,
    STANZA_SESSION_ENVIRONMENT_CLAIM: environment,
  } = settings;
  if (issuer === undefined || audience === undefined || url === undefined) return undefined;
  const agentAudience = given ?? (origin && `${origin.replace(/\/$/, '')}/mcp`);
  const keys = new ProviderKeys({ fetch: () => fetchKeySet(url), clock, log });
  return verifySession(
    { issuer, audience, agentAudience, algorithms, types, claims: { organization, environment } },
    { keys, clock },
  );
};
