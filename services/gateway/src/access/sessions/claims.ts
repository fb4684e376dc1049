import { type Environment, environmentSchema, type Person } from '@stanza/contracts';
import { z } from 'zod';

/** The claims of an accepted session token. */
export interface Session {
  person: Person;
  /** Undefined where the token names no organization. */
  organizationId: string | undefined;
  environment: Environment;
  /** The token was made for agents: it is for the tools at `/mcp` alone. */
  isForAgents: boolean;
  /** Milliseconds since 1970 from which the token has expired. */
  expiresAt: number;
}

/** Names of the configurable claims. */
export interface ClaimNames {
  organization: string;
  environment: string;
}

/** Seconds of tolerated clock difference to the provider. */
export const clockToleranceS = 5;

/** Text that can be stored, logged, and put into a header. */
const printable = z.string().regex(/^[\x20-\x7e]{1,255}$/);
/** Seconds since 1970, up to the year 9999. */
const seconds = z.number().min(0).max(253_402_300_799);

const standardClaims = z.looseObject({
  iss: z.string(),
  sub: printable,
  exp: seconds,
  iat: seconds.optional().catch(undefined),
  email: z.email().max(320).nullable().catch(null).default(null),
  email_verified: z.boolean().catch(false).default(false),
  azp: printable.optional().catch(undefined),
  client_id: printable.optional().catch(undefined),
});

// In lower case like all ids: caches and comparisons use this form only.
const organizationClaim = z
  .uuid()
  .nullish()
  .transform((id) => id?.toLowerCase());

/** Another value than the two names is refused: a token that is meant for preview must not act in production. */
const environmentClaim = environmentSchema.nullish().transform((name) => name ?? 'production');

const audiences = z.union([z.string().transform((one) => [one]), z.array(z.string())]).catch([]);

const time = (at: number): string => new Date(at * 1000).toISOString();

/**
 * Reads the claims of a verified token. An address counts as verified only with an explicit `email_verified`.
 * @param agentAudience the audience of tokens that are for agents
 * @throws ZodError naming the missing or malformed claim
 */
export const readSession = (
  payload: unknown,
  names: ClaimNames,
  agentAudience: string | undefined,
): Session => {
  const claims = standardClaims.parse(payload);
  const organization = z.object({ [names.organization]: organizationClaim }).parse(claims);
  const environment = z.object({ [names.environment]: environmentClaim }).parse(claims);
  const { iat, exp, azp, client_id = azp, email } = claims;
  const person: Person = {
    issuer: claims.iss,
    subject: claims.sub,
    email,
    email_verified: email !== null && claims.email_verified,
    expires_at: time(exp),
    ...(iat === undefined ? {} : { issued_at: time(iat) }),
    ...(client_id === undefined ? {} : { client_id }),
  };
  return {
    person,
    organizationId: organization[names.organization],
    environment: environment[names.environment] ?? 'production',
    isForAgents: agentAudience !== undefined && audiences.parse(claims.aud).includes(agentAudience),
    expiresAt: (exp + clockToleranceS) * 1000,
  };
};
