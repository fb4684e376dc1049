import { CodedError } from '@stanza/contracts';
import { type ChatAccess, openAccess } from '../../chat/access.ts';
import type { Attempt } from '../../chat/chat-outcome.ts';
import { type Finding, findInHistory } from '../../chat/history.ts';
import { findConnection } from '../../connections/store/connections.ts';
import { Deadline } from '../../deadline.ts';
import type { Dependencies } from '../../dependencies.ts';
import { resolve } from '../settle.ts';
import { appendAttempts, claimDueLookups, type LeftMessage, tenantOf } from '../store/abandoned-messages.ts';

/** Milliseconds from each lookup to the next: a platform that is slow shows late posts within the hour, if ever. */
const lookUpDelaysMs = [30_000, 5 * 60_000, 30 * 60_000];
/** Messages that one run looks up, one after the other. */
const batch = 20;
/** Milliseconds that one lookup may take. */
const lookupMs = 6_000;

/** The access to the workspace in which the message was posted; none when the environment has another by now. */
const accessTo = async (
  dependencies: Dependencies,
  message: LeftMessage,
): Promise<ChatAccess | undefined> => {
  const tenant = tenantOf(message);
  const row = await findConnection(tenant, dependencies.database);
  return row?.workspace_id === message.workspace_id
    ? openAccess(tenant, row, dependencies.keyring)
    : undefined;
};

const search = async (
  dependencies: Dependencies,
  message: LeftMessage,
  journal: Attempt[],
): Promise<Finding> => {
  const { channel, posting_at: postingAt, thread_ts: threadTs, id: messageId } = message;
  if (channel === null || postingAt === null) return { kind: 'unreadable' };
  try {
    const access = await accessTo(dependencies, message);
    if (!access) return { kind: 'unreadable' };
    const deadline = Deadline.in(dependencies.clock, lookupMs);
    const reader = { chat: dependencies.chat, access, deadline, log: dependencies.log, journal };
    return await findInHistory({ messageId, channel, threadTs, postingAt }, reader);
  } catch (err) {
    if (!(err instanceof CodedError)) throw err;
    dependencies.log.info(
      { message_id: messageId, code: err.code },
      'an unknown message could not be looked up',
    );
    return { kind: 'unreadable' };
  }
};

const lookUpOne = async (dependencies: Dependencies, message: LeftMessage): Promise<void> => {
  const journal: Attempt[] = [];
  const tenant = tenantOf(message);
  const finding = await search(dependencies, message, journal);
  await appendAttempts(tenant, dependencies.database, message.id, journal);
  if (finding.kind !== 'found') return;
  if (await resolve(dependencies, tenant, message.id, finding.ts)) {
    dependencies.log.info({ message_id: message.id }, 'an unknown message was found: it was sent');
  }
};

/**
 * Looks for unknown messages in their channels, a few times with a growing backoff. Finding one turns it into sent; its
 * credit was released and stays so. Not finding one proves nothing.
 */
export const lookUpUnknownMessages = async (
  dependencies: Dependencies,
  signal?: AbortSignal,
): Promise<void> => {
  const messages = await claimDueLookups(dependencies.database, lookUpDelaysMs, batch);
  for (const message of messages) {
    if (signal?.aborted) return;
    await lookUpOne(dependencies, message);
  }
};
