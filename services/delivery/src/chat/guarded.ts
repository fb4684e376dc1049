import { setTimeout as pause } from 'node:timers/promises';
import { type ChatMethod, metricCatalogue } from '@stanza/contracts';
import {
  type Breakers,
  breakers,
  type Clock,
  type Database,
  type Logger,
  type Metrics,
  type Tracing,
} from '@stanza/runtime';
import { isDeadToken } from './errors.ts';
import type { ChatCall, ChatPlatform, ChatReply } from './platform.ts';
import { claimMethodSlot, fiftyAMinute, holdMethod, type Pace } from './store/method-slots.ts';

/**
 * The chat platform's methods, each with its group. A breaker guards a group of a workspace, so that failures of one
 * kind of call do not affect the others.
 */
export const methodGroups = {
  'auth.test': 'account',
  'auth.revoke': 'account',
  'oauth.v2.access': 'account',
  'chat.postMessage': 'post',
  'users.lookupByEmail': 'lookup',
  'users.info': 'lookup',
  'conversations.open': 'lookup',
  'conversations.history': 'history',
  'conversations.replies': 'history',
  'chat.postEphemeral': 'post',
  'chat.update': 'update',
  'chat.delete': 'update',
  'views.open': 'view',
  'conversations.list': 'list',
  'users.list': 'list',
} as const satisfies Record<ChatMethod, string>;

/** Groups of methods that share a breaker. */
export type MethodGroup = (typeof methodGroups)[ChatMethod];

/** Breakers in memory; an evicted workspace starts with a closed one. */
const maxBreakers = 5_000;

/** A call with the facts for guarding and logging it. */
export interface GuardedCall extends ChatCall {
  /** The workspace that the token belongs to. */
  workspaceId: string;
  log: Logger;
  /** The message for which it is made. */
  messageId?: string;
  /** Leaves half of the method's burst to calls without which a message cannot be sent. */
  yields?: boolean;
  /** The slot of the method has been taken for it. */
  hasSlot?: boolean;
}

/** A breaker that stops calls of a group to a workspace, or lets one through as a probe. */
export interface OpenBreaker {
  calls: MethodGroup;
  state: 'open' | 'half_open';
}

/** Calls the platform behind a breaker for each workspace and group of methods. */
export interface GuardedChat {
  /** @throws CodedError `service_unavailable` when the breaker is open: no call was made */
  call(call: GuardedCall): Promise<ChatReply>;
  /** The open and half-open breakers of a workspace in this process. */
  breakers(workspaceId: string): OpenBreaker[];
  close(): Promise<void>;
}

/** A reply that counts as a failure of the platform, for breakers. */
class ChatFault extends Error {
  override readonly name = 'ChatFault';
  readonly reply: ChatReply;

  constructor(reply: ChatReply) {
    super(reply.attempt.outcome);
    this.reply = reply;
  }
}

const isFault = ({ outcome }: ChatReply): boolean =>
  outcome.kind === 'not_sent' || outcome.kind === 'ambiguous';

const groups: readonly MethodGroup[] = [...new Set(Object.values(methodGroups))];

const keyOf = (workspaceId: string, group: MethodGroup): string => `${workspaceId} ${group}`;

const instruments = (metrics: Metrics) => {
  const calls = metrics.counter(metricCatalogue.delivery.chatCalls);
  const seconds = metrics.histogram(metricCatalogue.delivery.chatSeconds);
  return ({ outcome, attempt }: ChatReply): void => {
    calls.inc({ method: attempt.method, outcome: outcome.kind });
    seconds.observe({ method: attempt.method }, attempt.latency_ms / 1_000);
  };
};

/** The dependencies of the wrapper around the platform. */
export interface GuardOptions {
  metrics: Metrics;
  tracing: Tracing;
  /** Milliseconds for which an open breaker waits before a probe. */
  resetTimeoutMs: number;
}

/** Puts breakers, metrics, a span and a log line around the platform. */
export const guardChat = (
  platform: ChatPlatform,
  { metrics, tracing, resetTimeoutMs }: GuardOptions,
): GuardedChat => {
  const observe = instruments(metrics);
  const guards: Breakers = breakers({
    name: 'chat',
    maxBreakers,
    resetTimeoutMs,
    isFault: (error) => error instanceof ChatFault,
    metrics,
  });
  const callAndLog = async (call: GuardedCall): Promise<ChatReply> => {
    const attributes = { 'stanza.chat.method': call.method };
    const reply = await tracing.span(`chat ${call.method}`, attributes, () => platform.call(call));
    observe(reply);
    const { method: chat_method, outcome, http_status, latency_ms } = reply.attempt;
    const { messageId: message_id, workspaceId: workspace_id, log } = call;
    log.info({ chat_method, outcome, http_status, latency_ms, message_id, workspace_id }, 'chat call');
    return reply;
  };
  return {
    call: async (call) => {
      try {
        return await guards.run(keyOf(call.workspaceId, methodGroups[call.method]), async () => {
          const reply = await callAndLog(call);
          if (isFault(reply)) throw new ChatFault(reply);
          return reply;
        });
      } catch (err) {
        if (err instanceof ChatFault) return err.reply;
        throw err;
      }
    },
    breakers: (workspaceId) =>
      groups.flatMap((calls) => {
        const state = guards.state(keyOf(workspaceId, calls));
        return state === 'closed' ? [] : { calls, state };
      }),
    close: async () => {
      guards.close();
      await platform.close();
    },
  };
};

/** The platform's limit of its lists, twenty pages a minute in a workspace. */
const twentyAMinute: Pace = { spacingMs: 3_000, burst: 20 };

/** Methods with a pace of their own. Posts are paced by channel, and the others are rare. */
const paces: Partial<Record<ChatMethod, Pace>> = {
  'users.lookupByEmail': fiftyAMinute,
  'users.info': fiftyAMinute,
  'conversations.open': fiftyAMinute,
  'conversations.history': fiftyAMinute,
  'conversations.replies': fiftyAMinute,
  'chat.update': fiftyAMinute,
  'chat.delete': fiftyAMinute,
  'conversations.list': twentyAMinute,
  'users.list': twentyAMinute,
};

/** The reply to a call whose slot would come after its deadline; the call is not made. */
const heldBack = ({ method }: GuardedCall, waitMs: number, now: Date): ChatReply => ({
  outcome: { kind: 'rate_limited', retryAfter: Math.max(1, Math.ceil(waitMs / 1_000)) },
  attempt: { method, outcome: 'held_back', latency_ms: 0, started_at: now.toISOString() },
});

/** Limits calls to the pace of their method in their workspace, which all replicas share. */
export const paceChat = (
  chat: GuardedChat,
  { database, clock }: { database: Database; clock: Clock },
): GuardedChat => ({
  ...chat,
  call: async (call) => {
    const pace = paces[call.method];
    if (!pace) return chat.call(call);
    const name = { workspace_id: call.workspaceId, method: call.method };
    const allowed = call.yields ? { ...pace, burst: pace.burst / 2 } : pace;
    const { granted, waitMs } = call.hasSlot
      ? { granted: true, waitMs: 0 }
      : await claimMethodSlot(database, name, allowed, call.timeoutMs / 2);
    if (!granted) return heldBack(call, waitMs, clock.now());
    if (waitMs > 0) await pause(waitMs);
    const reply = await chat.call({ ...call, timeoutMs: call.timeoutMs - waitMs });
    if (reply.outcome.kind === 'rate_limited')
      await holdMethod(database, name, pace, reply.outcome.retryAfter);
    return reply;
  },
});

/** A token that the platform has permanently refused. */
export interface DeadToken {
  token: string;
  workspaceId: string;
  refusal: string;
}

/** Reports each token that the platform permanently refuses. The call's own outcome is unchanged. */
export const reportDeadTokens = (
  chat: GuardedChat,
  record: (dead: DeadToken) => Promise<void>,
): GuardedChat => ({
  ...chat,
  call: async (call) => {
    const reply = await chat.call(call);
    const { outcome } = reply;
    const { token, workspaceId } = call;
    if (outcome.kind === 'refused' && isDeadToken(outcome.error) && token !== undefined) {
      await record({ token, workspaceId, refusal: outcome.error });
    }
    return reply;
  },
});
