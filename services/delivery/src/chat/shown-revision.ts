import { z } from 'zod';
import type { HistoryReader } from './history.ts';

/** Timeout of the look, milliseconds. */
const lookMs = 3_000;

const page = z.object({
  messages: z.array(
    z.looseObject({
      ts: z.string(),
      metadata: z
        .object({
          event_payload: z.object({ key: z.unknown(), revision: z.int().default(1).catch(1) }).optional(),
        })
        .optional()
        .catch(undefined),
    }),
  ),
});

/** A sent message in its channel. */
export interface ShownMessage {
  id: string;
  channel: string;
  messageTs: string;
  threadTs: string | null;
}

/** What a channel shows of a message. */
export type Shown =
  | { kind: 'revision'; revision: number }
  /** The message is no longer there. */
  | { kind: 'gone' }
  /** The channel cannot be read. */
  | { kind: 'unreadable' };

/**
 * Reads which revision of a message its channel shows, from the metadata.
 * @throws CodedError `service_unavailable` when the breaker is open
 */
export const shownRevision = async (
  { id, channel, messageTs, threadTs }: ShownMessage,
  { chat, access, deadline, log, journal }: HistoryReader,
): Promise<Shown> => {
  const { outcome, attempt } = await chat.call({
    method: threadTs === null ? 'conversations.history' : 'conversations.replies',
    args: {
      channel,
      oldest: messageTs,
      latest: messageTs,
      inclusive: true,
      limit: 1,
      include_all_metadata: true,
      // Replies appear in their thread's history only; the first of a thread is always among them.
      ...(threadTs !== null && { ts: threadTs, limit: 2 }),
    },
    token: access.token,
    workspaceId: access.workspaceId,
    messageId: id,
    timeoutMs: Math.min(lookMs, deadline.remaining),
    log,
  });
  journal.push(attempt);
  const parsed = page.safeParse(outcome.kind === 'ok' ? outcome.data : undefined);
  if (!parsed.success) return { kind: 'unreadable' };
  const found = parsed.data.messages.find((it) => it.ts === messageTs);
  if (!found) return { kind: 'gone' };
  const payload = found.metadata?.event_payload;
  return payload?.key === id ? { kind: 'revision', revision: payload.revision } : { kind: 'unreadable' };
};
