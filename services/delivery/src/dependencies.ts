import { errorTable, metricCatalogue } from '@stanza/contracts';
import type { ServiceContext } from '@stanza/runtime';
import { type GuardedChat, guardChat } from './chat/guarded.ts';
import { paceChat } from './chat/pace.ts';
import { createChatPlatform } from './chat/platform.ts';
import { Recipients } from './chat/recipients.ts';
import type { DeliverySettings } from './config.ts';
import { type AppSettings, appOf, type ChatApp } from './connections/chat-app.ts';
import { noticeDeadTokens } from './connections/dead-tokens.ts';
import type { Keyring } from './connections/encryption-keys.ts';
import {
  createDestinationParts,
  type DestinationDependencies,
  type DestinationSettings,
} from './destinations/dependencies.ts';
import { createSharedWrites, type SharedWrites } from './messages/shared-writes.ts';
import type { Verdict } from './messages/verdict.ts';

/** What the operations and jobs of the service work with. */
export interface Dependencies
  extends Pick<
    ServiceContext<unknown>,
    'database' | 'outbox' | 'rpc' | 'clock' | 'log' | 'metrics' | 'tracing'
  > {
  chat: GuardedChat;
  recipients: Recipients;
  writes: SharedWrites;
  keyring: Keyring;
  destinations: DestinationDependencies;
  /** Undefined where the settings name none. */
  app: ChatApp | undefined;
  /** Counts a message that has come to its end. */
  count: (verdict: Verdict) => void;
}

/** What `createDependencies` takes of the service context. */
export type DependencyContext = Pick<
  ServiceContext<
    AppSettings &
      Pick<DeliverySettings, 'STANZA_ENCRYPTION_KEYS' | 'STANZA_CHAT_BREAKER_MS'> &
      DestinationSettings
  >,
  'database' | 'outbox' | 'rpc' | 'clock' | 'log' | 'metrics' | 'tracing' | 'settings'
>;

/** Whether the sender could have done better, or this service and the platform. */
const causeOf = (verdict: Verdict): 'none' | 'caller' | 'service' => {
  if (verdict.status === 'sent') return 'none';
  return verdict.status === 'failed' && errorTable[verdict.error.code].status < 500 ? 'caller' : 'service';
};

/** Makes the parts from what the runtime gives. */
export const createDependencies = (serviceContext: DependencyContext): Dependencies => {
  const { database, outbox, rpc, clock, log, metrics, tracing, settings } = serviceContext;
  const keyring = settings.STANZA_ENCRYPTION_KEYS;
  const platform = createChatPlatform({ apiUrl: settings.STANZA_CHAT_API_URL, clock });
  const guarded = guardChat(platform, { ...serviceContext, resetTimeoutMs: settings.STANZA_CHAT_BREAKER_MS });
  const chat = noticeDeadTokens(paceChat(guarded, serviceContext), { database, keyring, clock, log });
  const ended = metrics.counter(metricCatalogue.delivery.messages);
  return {
    database,
    outbox,
    rpc,
    clock,
    log,
    metrics,
    tracing,
    chat,
    recipients: new Recipients(chat, clock),
    writes: createSharedWrites({ database, outbox, clock, metrics }),
    keyring,
    destinations: createDestinationParts(serviceContext),
    app: appOf(settings),
    count: (verdict) => ended.inc({ status: verdict.status, cause: causeOf(verdict) }),
  };
};
