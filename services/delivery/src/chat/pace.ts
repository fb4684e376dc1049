import { setTimeout as pause } from 'node:timers/promises';
import type { ChatMethod } from '@stanza/contracts';
import type { Clock, Database } from '@stanza/runtime';
import type { ChatReply } from './chat-outcome.ts';
import type { GuardedCall, GuardedChat } from './guarded.ts';
import { claimMethodSlot, holdMethod, type Pace } from './store/method-slots.ts';

/**
 * The platform's limit of a method in a workspace: fifty calls a minute, plus an unspecified burst. The burst here is
 * two of the largest bulk sends to people; a 429 pauses the method for all callers.
 */
const fiftyAMinute: Pace = { spacingMs: 1_200, burst: 200 };

/** Methods with a pace of their own. Posts are paced by channel, and the others are rare. */
const paces: Partial<Record<ChatMethod, Pace>> = {
  'users.lookupByEmail': fiftyAMinute,
  'conversations.open': fiftyAMinute,
  'conversations.history': fiftyAMinute,
  'conversations.replies': fiftyAMinute,
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
    const { granted, waitMs } = await claimMethodSlot(database, name, allowed, call.timeoutMs / 2);
    if (!granted) return heldBack(call, waitMs, clock.now());
    if (waitMs > 0) await pause(waitMs);
    const reply = await chat.call({ ...call, timeoutMs: call.timeoutMs - waitMs });
    if (reply.outcome.kind === 'rate_limited')
      await holdMethod(database, name, pace, reply.outcome.retryAfter);
    return reply;
  },
});
