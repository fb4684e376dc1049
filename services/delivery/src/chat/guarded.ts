import { metricCatalogue } from '@stanza/contracts';
import type { Breakers, Logger, Metrics, Tracing } from '@stanza/runtime';
import { breakers } from '@stanza/runtime';
import { type MethodGroup, methodGroups } from './chat-methods.ts';
import type { ChatReply } from './chat-outcome.ts';
import type { ChatCall, ChatPlatform } from './platform.ts';

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
