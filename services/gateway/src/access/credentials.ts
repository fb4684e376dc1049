import { authenticateKey, authenticateSession, type Principal } from '@stanza/contracts';
import type { CallContext, RpcClient } from '@stanza/runtime';
import type { KnownPrincipal, PrincipalCache } from './principal-cache.ts';
import type { Session } from './sessions/claims.ts';
import type { VerifySession } from './sessions/verify-session.ts';

/** The ways in: who stands behind an API key, what a session token says, who stands behind that. */
export interface Credentials {
  findKey(digest: string, context: CallContext): Promise<KnownPrincipal>;
  /** Undefined where no identity provider is configured. */
  verifySession: VerifySession | undefined;
  /** Undefined where the session names no organization. */
  findMember(session: Session, context: CallContext): Promise<Principal | undefined>;
}

/** Asks the organization service, and remembers what it said. */
export const credentials = (
  rpc: RpcClient,
  principals: PrincipalCache,
  verifySession: VerifySession | undefined,
): Credentials => ({
  verifySession,
  findKey: (digest, context) =>
    principals.find(digest, (own) => rpc.call(authenticateKey, { key_digest: digest }, own), context),
  findMember: async ({ person, organizationId, environment }, context) => {
    if (organizationId === undefined) return undefined;
    const input = { person, organization_id: organizationId, environment };
    // A list in JSON is no digest, and its parts cannot run into each other.
    const name = JSON.stringify([person.issuer, person.subject, organizationId, environment]);
    const known = await principals.find(name, (own) => rpc.call(authenticateSession, input, own), context);
    return known.principal;
  },
});
