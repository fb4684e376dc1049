import { authenticateKey, authenticateSession, type Principal } from '@stanza/contracts';
import type { CallContext, RpcClient } from '@stanza/runtime';
import type { KnownPrincipal, PrincipalCache } from './principal-cache.ts';
import type { Session } from './sessions/claims.ts';
import type { VerifySession } from './sessions/verify-session.ts';

/** Authentication: resolves API keys to principals, verifies session tokens, and resolves these to principals. */
export interface Credentials {
  findKey(digest: string, context: CallContext): Promise<KnownPrincipal>;
  /** Undefined without a configured identity provider. */
  verifySession: VerifySession | undefined;
  /** Undefined where the session names no organization. */
  findMember(session: Omit<Session, 'expiresAt'>, context: CallContext): Promise<Principal | undefined>;
}

/** Resolves a credential at the organization service, and caches the result. */
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
    // A JSON list cannot collide with a digest, and keeps its elements apart.
    const name = JSON.stringify([person.issuer, person.subject, organizationId, environment]);
    const known = await principals.find(name, (own) => rpc.call(authenticateSession, input, own), context);
    return known.principal;
  },
});
