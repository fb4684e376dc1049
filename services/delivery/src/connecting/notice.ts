import { CodedError } from '@stanza/contracts';
import type { Tenant } from '@stanza/runtime';
import type { ChatAccess } from '../chat/access.ts';
import { deadTokenOf } from '../domain/refusals.ts';
import type { Parts } from '../parts.ts';
import { noteRefused } from '../store/connections.ts';

/**
 * Notices when the platform refused a token for good, so that the connection shows it and nothing more is tried with
 * the token. It never rejects: the answer on the way says the same, and the next call meets the same refusal.
 */
export const noticeRefusal = async (
  { database, clock, log }: Pick<Parts, 'database' | 'clock' | 'log'>,
  tenant: Tenant,
  { connectionId, workspaceId }: Pick<ChatAccess, 'connectionId' | 'workspaceId'>,
  error: CodedError,
): Promise<void> => {
  const refusal = deadTokenOf(error);
  if (refusal === undefined) return;
  try {
    if (!(await noteRefused(tenant, database, connectionId, refusal, clock.now()))) return;
    log.warn({ workspace: workspaceId, refusal }, 'the chat platform refuses the token of a connection');
  } catch (err) {
    if (!(err instanceof CodedError)) throw err;
    log.warn({ err, workspace: workspaceId }, 'a refused token could not be noted');
  }
};
