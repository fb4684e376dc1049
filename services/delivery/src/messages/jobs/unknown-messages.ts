import { CodedError } from '@stanza/contracts';
import { countByOrganization, LeasedWorker, type Traced } from '@stanza/runtime';
import { type Finding, findInHistory, type HistoryReader } from '../../chat/history.ts';
import type { Attempt, ChatAccess } from '../../chat/platform.ts';
import { shownRevision } from '../../chat/shown-revision.ts';
import { openAccess } from '../../connections/chat-access.ts';
import { findConnection } from '../../connections/store/connections.ts';
import { Deadline } from '../../deadline.ts';
import type { Dependencies } from '../../dependencies.ts';
import { isShown } from '../deliver-change.ts';
import { reportNotFound } from '../report-not-found.ts';
import { resolve } from '../settle.ts';
import {
  appendAttempts,
  claimDueLookups,
  type DueLookup,
  dueLookups,
  type LeftMessage,
  tenantOf,
} from '../store/abandoned-messages.ts';
import { findMessage } from '../store/message-log.ts';
import { endLookups, retryLookup } from '../store/unread-lookups.ts';

/** Milliseconds between lookups: a slow platform shows late posts within the hour, if ever. */
const lookUpDelaysMs = [30_000, 5 * 60_000, 5 * 60_000, 25 * 60_000];
/** Milliseconds after the beginning of a post from which on a channel that lacks it counts as not having it. */
const settledMs = 10 * 60_000;
/** Milliseconds for which the last lookup of a message has it, longer than a lookup takes. */
const leaseMs = 30_000;
const times = { delaysMs: lookUpDelaysMs, settledMs, leaseMs };
/** Messages that are looked up at one time. */
const maxUnderWay = 20;
/** Of these, of one organization: its lookups read the history of the same workspace. */
const share = 1;
/** Timeout of a lookup, milliseconds. */
const lookupMs = 6_000;

/** The access to the workspace in which the message was posted; undefined when the environment has another by now. */
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

/** Looks whether the channel shows a change of a message. */
const searchChange = async (
  { database }: Pick<Dependencies, 'database'>,
  change: DueLookup,
  revises: string,
  reader: HistoryReader,
): Promise<Finding> => {
  const message = await findMessage(tenantOf(change), database, revises);
  if (!message || message.channel === null || message.message_ts === null) return { kind: 'unreadable' };
  const { id, channel, message_ts: messageTs, thread_ts: threadTs } = message;
  const shown = await shownRevision({ id, channel, messageTs, threadTs }, reader);
  if (isShown(shown, change)) return { kind: 'found', ts: messageTs };
  return shown.kind === 'unreadable' ? shown : { kind: 'absent', isWhole: true };
};

const search = async (
  dependencies: Dependencies,
  message: DueLookup,
  journal: Attempt[],
): Promise<Finding> => {
  const { channel, posting_at: postingAt, thread_ts: threadTs, id: messageId, revises } = message;
  if (channel === null || postingAt === null) return { kind: 'unreadable' };
  try {
    const access = await accessTo(dependencies, message);
    if (!access) return { kind: 'unreadable' };
    const deadline = Deadline.in(dependencies.clock, lookupMs);
    const reader = { chat: dependencies.chat, access, deadline, log: dependencies.log, journal };
    if (revises !== null) return await searchChange(dependencies, message, revises, reader);
    // From then on absence counts, wherever in the time since the post the platform may have put the message.
    const untilNow = message.is_settled;
    return await findInHistory({ messageId, channel, threadTs, postingAt, untilNow }, reader);
  } catch (err) {
    if (!(err instanceof CodedError)) throw err;
    dependencies.log.info(
      { message_id: messageId, code: err.code },
      'a message with an unknown outcome could not be looked up',
    );
    return { kind: 'unreadable' };
  }
};

const lookUpOne = async (dependencies: Dependencies, message: DueLookup): Promise<void> => {
  const journal: Attempt[] = [];
  const tenant = tenantOf(message);
  const finding = await search(dependencies, message, journal);
  await appendAttempts(tenant, dependencies.database, message.id, journal);
  if (finding.kind === 'unreadable') return retryLookup(dependencies.database, message);
  if (finding.kind === 'absent' && finding.isWhole && message.is_settled) {
    await reportNotFound(dependencies, tenant, message);
  }
  if (finding.kind !== 'found') {
    const isLast = message.lookups > lookUpDelaysMs.length;
    return isLast ? endLookups(dependencies.database, message) : undefined;
  }
  if (await resolve(dependencies, tenant, message.id, finding.ts)) {
    dependencies.log.info(
      { message_id: message.id },
      'a message with an unknown outcome was found: it was sent',
    );
  }
};

/**
 * Makes the worker that looks for messages with unknown outcomes in their channels, a few times with a growing backoff. A
 * lookup counts only where it has read the channel; others are made again for three days. A found one becomes sent; its
 * credit stays released. Absence proves nothing: it is told to the origin, which may accept a second post.
 * Organizations take turns, however many messages of one are unknown.
 */
export const createLookups = (dependencies: Dependencies): LeasedWorker<DueLookup & Traced> => {
  const due = dueLookups();
  const { database, metrics } = dependencies;
  return new LeasedWorker(dependencies, {
    name: 'lookup',
    share: { kind: 'lookups', metrics, organizationOf: (message) => message.organization_id },
    places: maxUnderWay,
    claim: async (places, underWay) => {
      const organizations = await due.find(database);
      if (organizations.length === 0) return [];
      const claimed = await claimDueLookups(database, times, {
        places,
        share,
        underWay: countByOrganization(underWay),
        organizations,
      });
      return claimed.map((message) => ({ ...message, traceparent: null }));
    },
    run: (message) => lookUpOne(dependencies, message),
    attributes: ({ id }) => ({ 'stanza.message_id': id }),
    facts: ({ id }) => ({ message_id: id }),
  });
};
