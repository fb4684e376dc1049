import type {
  Actor,
  ChatConnection,
  Environment,
  ErrorCode,
  ErrorFacts,
  Message,
  ScheduledRunStatus,
  ScheduleStatus,
} from '@stanza/contracts';
import type { Attempt } from '../chat/chat-outcome.ts';

/** The chat workspace of an environment. */
export interface ConnectionRow {
  organization_id: string;
  environment: Environment;
  /** A connection that is put anew is a new one: the token's ciphertext is bound to this id. */
  id: string;
  workspace_id: string;
  workspace_name: string;
  bot_user_id: string;
  source: ChatConnection['source'];
  token_ciphertext: Buffer;
  token_key_id: string;
  /** What the token allows, as the platform said; null when it did not. */
  scopes: string[] | null;
  /** When the platform last said how the token stands. */
  last_checked_at: Date;
  /** When the platform was noticed to refuse the token; null while it takes it. */
  revoked_at: Date | null;
  /** The platform's error by which that was noticed. */
  refusal: string | null;
  created_at: Date;
  updated_at: Date;
}

/** An installation through the chat platform, from its beginning until it is forgotten. */
export interface ChatInstallRow {
  organization_id: string;
  environment: Environment;
  id: string;
  /** Who began it; what comes of it is theirs. */
  actor: Actor;
  /** SHA-256 of the state with which the browser comes back. */
  state_hash: Buffer;
  /**
   * begun: the browser is at the platform. spent: it came back, which it does once. waiting: there is a token, and the
   * page asks whether to connect. connected: the button was pressed.
   */
  status: 'begun' | 'spent' | 'waiting' | 'connected';
  /** SHA-256 of the token of the page. */
  confirm_hash: Buffer | null;
  workspace_id: string | null;
  workspace_name: string | null;
  bot_user_id: string | null;
  scopes: string[] | null;
  /** Encrypted for this row; gone once it is connected. */
  token_ciphertext: Buffer | null;
  token_key_id: string | null;
  created_at: Date;
  /** From then on it goes no further. */
  expires_at: Date;
}

/** Where a message comes from: a request whose sender waits, or something that is due and for which nobody waits. */
export type MessageOrigin = 'send' | 'bulk' | DeferredOrigin;

/** See {@link MessageOrigin}: these go on after a crash instead of failing. */
export type DeferredOrigin = 'batch' | 'schedule';

/** A message that is sent in its own time. */
export interface DeferredSendRow {
  organization_id: string;
  environment: Environment;
  /** The message is unique by it. */
  operation_id: string;
  origin: DeferredOrigin;
  /** The batch, or the schedule. */
  origin_id: string;
  status: 'waiting' | 'ended';
  /** When it is tried next; the end of the lease while a process is at it. By the database's clock. */
  due_at: Date;
  /** From then on a transient error ends it as failed. */
  give_up_at: Date;
  /** Claims so far: the fence of the present lease. */
  tries: number;
  /** What delayed it last. */
  error: ErrorCode | null;
  created_at: Date;
  ended_at: Date | null;
  /** Of the span that asked for it, where there was one. */
  traceparent: string | null;
}

/** A message, from before its post to its outcome. */
export interface MessageRow {
  organization_id: string;
  environment: Environment;
  id: string;
  /** With `item`, what makes it happen once: the number of the message within the operation, from 0. */
  operation_id: string;
  item: number;
  origin: MessageOrigin;
  /** The batch or the schedule that it was made for. */
  origin_id: string | null;
  template_id: string;
  version_id: string;
  version_number: number;
  channel_id: string | null;
  recipient_email: string | null;
  recipient_chat_id: string | null;
  thread_ts: string | null;
  workspace_id: string;
  status: Message['status'];
  /** The conversation posted to; the channel's own id, or that of the direct conversation. */
  channel: string | null;
  message_ts: string | null;
  error: ErrorCode | null;
  /** The public parts of the error, to be answered again. */
  error_facts: ErrorFacts | null;
  /** Chosen before the post; a charge has it only when `charged`. */
  credit_log_id: string;
  /** Null while the reservation is open. Once false, it stays so. */
  charged: boolean | null;
  remaining_credits: number;
  warnings: string[];
  fields_truncated: number;
  attempts: Attempt[];
  request_id: string;
  actor_id: string;
  /** Of the `Idempotency-Key` with which it was asked for. */
  key_digest: string | null;
  /** Until then its sender is at work; by the database's clock. */
  deadline_at: Date;
  /** The try of the deferred send that works on it, which each of its writes requires; 0 for a request. */
  fence: number;
  /** The fence under which its post began; null before. */
  posting_fence: number | null;
  /** When its post could begin, at the earliest. */
  posting_at: Date | null;
  /** How often it was looked up after its request had ended. */
  lookups: number;
  /** When an unknown message is looked up next; null when it is not. */
  lookup_due_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** When the next message may be posted to a channel. */
export interface ChannelSlotRow {
  workspace_id: string;
  channel: string;
  next_free_at: Date;
}

/** When the next call of a method may be made in a workspace. */
export interface MethodSlotRow {
  workspace_id: string;
  method: string;
  next_free_at: Date;
}

/** An operation that was reported to have accepted nothing, and therefore never may. */
export interface WithdrawnOperationRow {
  organization_id: string;
  environment: Environment;
  operation_id: string;
  withdrawn_at: Date;
}

/** A message that is sent at a time, or again and again. */
export interface ScheduledMessageRow {
  organization_id: string;
  environment: Environment;
  id: string;
  operation_id: string;
  status: ScheduleStatus;
  template_id: string;
  data: Record<string, unknown>;
  strict: boolean | null;
  locale: string | null;
  /** Of the cron, and of dates in the message. */
  timezone: string | null;
  channel_id: string | null;
  recipient_email: string | null;
  recipient_chat_id: string | null;
  thread_ts: string | null;
  send_at: Date | null;
  cron: string | null;
  catch_up: boolean;
  /** Null unless it is active. */
  next_run_at: Date | null;
  created_by: string;
  created_at: Date;
  updated_at: Date;
  ended_at: Date | null;
}

/** One due time of a scheduled message, which has one message at most. */
export interface ScheduledRunRow {
  organization_id: string;
  environment: Environment;
  scheduled_message_id: string;
  due_at: Date;
  /** Made of the schedule and the time, so that it is the same whoever begins the run. */
  operation_id: string;
  status: ScheduledRunStatus;
  message_id: string | null;
  error: ErrorCode | null;
  error_details: string | null;
  started_at: Date;
  ended_at: Date | null;
}
