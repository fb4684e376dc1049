import { accessChanged, CodedError, type Environment } from '@stanza/contracts';
import type { AuditContext, Outbox, Transaction } from '@stanza/runtime';
import { markRevoked } from './store/api-keys.ts';
import { record } from './store/audit-log.ts';

/** A key of an organization. */
export interface NamedKey {
  organizationId: string;
  /** Undefined where the caller, an operator, may revoke keys of both. */
  environment: Environment | undefined;
  id: string;
}

/**
 * Revokes a key for good, tells every gateway and puts it on record; a key that was revoked before stays as it is.
 * @throws CodedError `not_found` when there is no such key
 */
export const endKey = async (
  tx: Transaction,
  outbox: Outbox,
  context: AuditContext,
  { organizationId: organization_id, environment, id }: NamedKey,
  at: Date,
): Promise<void> => {
  const key = await markRevoked(tx, organization_id, { id, environment }, at);
  if (!key) throw new CodedError('not_found', { message: 'There is no such API key.' });
  if (key.wasRevoked) return;
  await outbox.add(tx, accessChanged, { organization_id });
  await record(tx, context, {
    action: 'api_key.revoked',
    subject: { kind: 'api_key', id: id.toLowerCase() },
    changes: { name: key.name },
    owner: { organization_id, environment: key.environment },
    at,
  });
};
