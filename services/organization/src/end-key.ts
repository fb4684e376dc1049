import { accessChanged, type Environment, notFound } from '@stanza/contracts';
import type { AuditContext, Outbox, Transaction } from '@stanza/runtime';
import { markRevoked } from './store/api-keys.ts';
import { record } from './store/audit-log.ts';
import { revokeDescendants } from './store/key-tree.ts';

/** A key of an organization. */
export interface NamedKey {
  organizationId: string;
  /** Undefined where the caller, an operator, may revoke keys of both. */
  environment: Environment | undefined;
  id: string;
  /** Whether the keys go with it that it has made, and those that these have made. */
  descendants: boolean;
}

/**
 * Revokes a key for good, tells every gateway and puts it on record; what was revoked before stays as it is.
 * @throws CodedError `not_found` when there is no such key
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
  if (key.wasRevoked && revoked_keys.length === 0) return;
  await outbox.add(tx, accessChanged, { organization_id });
  await record(tx, context, {
    action: 'api_key.revoked',
    subject: { kind: 'api_key', id: id.toLowerCase() },
    changes: { name: key.name, ...(descendants && { revoked_keys }) },
    owner: { organization_id, environment: key.environment },
    at,
  });
};
