import { createHash } from 'node:crypto';
import { type Actor, type AuditEntry, type InputOf, recordSignIn as operation } from '@stanza/contracts';
import { handle, type Transaction } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { findKeyByHash } from '../store/api-keys.ts';
import { addAuditLine, hasRecentLine } from '../store/audit-log.ts';
import { findUserOfIdentity } from '../store/identities.ts';
import { organizationsReached } from '../store/profiles.ts';

type Who = InputOf<typeof operation>['who'];

/** What a line about a session says of who signs in. */
type Signed = Pick<AuditEntry, 'organization_id' | 'environment' | 'actor' | 'subject'>;

/** A refused key is recorded once in this many milliseconds: whoever has it must not fill the log. */
const refusedOnceMs = 60_000;

const signedBy = async (
  { keyHashes }: Pick<Dependencies, 'keyHashes'>,
  tx: Transaction,
  who: Who,
): Promise<Signed[]> => {
  if ('key_digest' in who) {
    const key = await findKeyByHash(tx, keyHashes.all(who.key_digest));
    if (!key || key.status === 'deleted') return [];
    const { id, organization_id, environment, user_id } = key;
    const actor: Actor = { type: 'api_key', id, user_id };
    return [{ organization_id, environment, actor, subject: { kind: 'api_key', id } }];
  }
  const userId = await findUserOfIdentity(tx, who);
  if (userId === undefined) return [];
  const { subject, client_id } = who;
  const actor: Actor = { type: 'session', id: subject, user_id: userId, ...(client_id && { client_id }) };
  return (await organizationsReached(tx, userId)).map((organization_id) => ({
    organization_id,
    environment: null,
    actor,
    subject: { kind: 'user', id: userId },
  }));
};

/** The id of the line of one organization: the same when the job runs again, and as old as its row. */
const lineId = (operationId: string, organizationId: string): string =>
  operationId.slice(0, 24) + createHash('sha256').update(organizationId).digest('hex').slice(0, 12);

/** Writes that a session of the console begins, is refused or ends, to each organization that it reaches. */
export const recordSignIn = (dependencies: Pick<Dependencies, 'database' | 'keyHashes'>) =>
  handle(operation, async ({ input: { who, outcome, request_id, client, at }, context }) => {
    await dependencies.database.transaction(async (tx) => {
      for (const signed of await signedBy(dependencies, tx, who)) {
        const entry = {
          ...signed,
          action: `console_session.${outcome}`,
          changes: {},
          request_id,
          client,
          at,
        };
        const since = new Date(Date.parse(at) - refusedOnceMs);
        if (outcome === 'refused' && (await hasRecentLine(tx, entry, since))) continue;
        await addAuditLine(tx, lineId(context.operationId, signed.organization_id), entry);
      }
    });
    return {};
  });
