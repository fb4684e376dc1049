import { CodedError, type Principal, validationFailed } from '@stanza/contracts';
import { Tenant, type Transaction } from '@stanza/runtime';
import { holdKey } from './store/key-tree.ts';

/** The key that creates another one. */
export interface ParentKey {
  id: string;
  expiresAt: Date | null;
}

/**
 * The key behind the caller, locked until the transaction ends; undefined for a session.
 * @throws CodedError `invalid_token` for a key that was revoked or has expired after the gateway cached it
 */
export const holdParent = async (
  tx: Transaction,
  principal: Principal,
  now: Date,
): Promise<ParentKey | undefined> => {
  if (principal.actor.type !== 'api_key') return undefined;
  const key = await holdKey(tx, Tenant.of(principal), principal.actor.id);
  const isOver = key?.expires_at ? key.expires_at <= now : false;
  if (!key || key.revoked_at || isOver) throw new CodedError('invalid_token');
  return { id: key.id, expiresAt: key.expires_at };
};

const refused = (message: string): CodedError =>
  validationFailed([{ code: 'custom', path: ['expires_at'], message }]);

/**
 * The expiry of a new key: as requested, else that of the creating key; undefined: never.
 * @throws CodedError `validation_failed` for a moment in the past, or after the expiry of the creating key
 */
export const endOfKey = (
  asked: string | null | undefined,
  parent: ParentKey | undefined,
  now: Date,
): string | undefined => {
  const latest = parent?.expiresAt ?? undefined;
  if (!asked) return latest?.toISOString();
  const end = new Date(asked);
  if (end <= now) throw refused('must be in the future');
  if (latest && end > latest) {
    throw refused(`must not be after ${latest.toISOString()}, when the creating key expires`);
  }
  return end.toISOString();
};
