import { accessChanged, type Environment, notFound } from '@stanza/contracts';
import type { AuditContext, Outbox, Transaction } from '@stanza/runtime';
import { markRevoked } from './store/api-keys.ts';
import { record } from './store/audit-log.ts';
import { revokeDescendants, revokeInvitationsOfKeys } from './store/key-tree.ts';

/** A key of an organization. */
export interface NamedKey {
  organizationId: string;
  /** Undefined for an operator, who may revoke keys of both environments. */
  environment: Environment | undefined;
  id: string;
  /** Whether the keys that it created, directly or through others, and the invitations of all are revoked too. */
  descendants: boolean;
}

/**
 * Revokes a key for good, notifies every gateway and writes the audit log; a revoked key stays unchanged.
 * @throws CodedError `not_found` when the key does not exist
 */
export const endKey = async (
  tx: Transaction,
  outbox: Outbox,
  context: AuditContext,
  { organizationId: organization_id, environment, id, descendants }: NamedKey,
  at: Date,
): Promise<void> => {
  const key = await markRevoked(tx, organization_id, { id, environment }, at);
  if (!key) throw notFound('API key');
  const revoked_keys = descendants ? await revokeDescendants(tx, organization_id, id, at) : [];
  const revoked_invitations = descendants ? await revokeInvitationsOfKeys(tx, organization_id, id, at) : 0;
  if (key.wasRevoked && revoked_keys.length + revoked_invitations === 0) return;
  await outbox.add(tx, accessChanged, { organization_id });
  await record(tx, context, {
    action: 'api_key.revoked',
    subject: { kind: 'api_key', id: id.toLowerCase() },
    changes: { name: key.name, ...(descendants && { revoked_keys, revoked_invitations }) },
    owner: { organization_id, environment: key.environment },
    at,
  });
};
