import type { Allowances, Keyring, ServiceContext } from '@stanza/runtime';
import { ChatDirectory } from './chat/directory.ts';
import { type GuardedChat, guardChat, paceChat, reportDeadTokens } from './chat/guarded.ts';
import { PeopleByEmail } from './chat/people-by-email.ts';
import { createChatPlatform } from './chat/platform.ts';
import { Recipients } from './chat/recipients.ts';
import type { DeliverySettings } from './config.ts';
import { KnownConnections } from './connections/chat-access.ts';
import { type AppSettings, appOf, type ChatApp } from './connections/chat-app.ts';
import { recordDeadTokens } from './connections/dead-tokens.ts';
import {
  createDestinationDependencies,
  type DestinationDependencies,
  type DestinationSettings,
} from './destinations/dependencies.ts';
import { type CountEvents, countEvents } from './events/store/recording.ts';
import type { MessageChange } from './messages/message-tables.ts';
import { createReserve, type Reserve } from './messages/reserve.ts';
import { RetriedWithdrawals } from './messages/retried-withdrawals.ts';
import { SettledLog } from './messages/settled-log.ts';
import { createSharedWrites, type SharedWrites } from './messages/shared-writes.ts';
import { countChanges, countVerdicts, type Verdict } from './messages/verdict.ts';

/** The dependencies of the service's operations and jobs. */
export interface Dependencies
  extends Pick<
    ServiceContext<unknown>,
    'database' | 'reports' | 'outbox' | 'rpc' | 'clock' | 'log' | 'metrics' | 'tracing'
  > {
  chat: GuardedChat;
  recipients: Recipients;
  people: PeopleByEmail;
  /** Channels and people of workspaces by name. */
  directory: ChatDirectory;
  writes: SharedWrites;
  reserve: Reserve;
  retriedWithdrawals: RetriedWithdrawals;
  /** Up to where streams of messages may read. */
  settledLog: SettledLog;
  keyring: Keyring;
  connections: KnownConnections;
  destinations: DestinationDependencies;
  allowances: Allowances;
  /** Undefined without a configured app. */
  app: ChatApp | undefined;
  countEvents: CountEvents;
  /** Days for which ended messages are kept. */
  messageDays: number;
  /** Counts an ended message. */
  count: (verdict: Verdict) => void;
  /** Counts an ended change of a message. */
  countChange: (kind: MessageChange, verdict: Verdict) => void;
}

/** The parts of the service context that `createDependencies` uses. */
export type DependencyContext = Pick<
  ServiceContext<
    AppSettings &
      Pick<DeliverySettings, 'STANZA_ENCRYPTION_KEYS' | 'STANZA_CHAT_BREAKER_MS' | 'STANZA_MESSAGE_DAYS'> &
      DestinationSettings
  >,
  'database' | 'reports' | 'outbox' | 'rpc' | 'clock' | 'log' | 'metrics' | 'tracing' | 'settings'
> & { allowances: Allowances };

/** Makes the dependencies from the service context. */
export const createDependencies = (serviceContext: DependencyContext): Dependencies => {
  const { database, reports, outbox, rpc, clock, log, metrics, tracing, settings, allowances } =
    serviceContext;
  const keyring = settings.STANZA_ENCRYPTION_KEYS;
  const platform = createChatPlatform({ apiUrl: settings.STANZA_CHAT_API_URL, clock });
  const guarded = guardChat(platform, { metrics, tracing, resetTimeoutMs: settings.STANZA_CHAT_BREAKER_MS });
  const connections = new KnownConnections(database);
  const counting = countEvents(metrics);
  const noticing = { database, keyring, clock, log, connections, countEvents: counting };
  const chat = reportDeadTokens(paceChat(guarded, serviceContext), recordDeadTokens(noticing));
  const recipients = new Recipients(chat, clock);
  return {
    database,
    reports,
    outbox,
    rpc,
    clock,
    log,
    metrics,
    tracing,
    chat,
    recipients,
    people: new PeopleByEmail(recipients),
    directory: new ChatDirectory(chat, clock),
    writes: createSharedWrites({ database, outbox, clock, metrics, tracing, countEvents: counting }),
    reserve: createReserve(rpc, metrics),
    retriedWithdrawals: new RetriedWithdrawals(),
    settledLog: new SettledLog({ database, clock, metrics }),
    keyring,
    connections,
    destinations: createDestinationDependencies(serviceContext),
    allowances,
    app: appOf(settings),
    countEvents: counting,
    messageDays: settings.STANZA_MESSAGE_DAYS,
    count: countVerdicts(metrics),
    countChange: countChanges(metrics),
  };
};

/** The dependencies of an operation that changes rows and audits the change. */
export type WriteDependencies = Pick<Dependencies, 'database' | 'outbox' | 'clock'>;

/** The dependencies of an operation that writes a destination. */
export type DestinationWriting = Pick<
  Dependencies,
  'database' | 'outbox' | 'clock' | 'keyring' | 'destinations'
>;
