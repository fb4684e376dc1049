import type { Environment, ErrorCode, ErrorFacts, Message } from '@stanza/contracts';
import type { Attempt } from './chat-outcome.ts';

/** The chat workspace of an environment. */
export interface ConnectionRow {
  organization_id: string;
  environment: Environment;
  /** A connection that is put anew is a new one: the token's ciphertext is bound to this id. */
  id: string;
  workspace_id: string;
  workspace_name: string;
  bot_user_id: string;
  token_ciphertext: Buffer;
  token_key_id: string;
  created_at: Date;
  updated_at: Date;
}

/** A message, from before its post to its outcome. */
export interface MessageRow {
  organization_id: string;
  environment: Environment;
  id: string;
  /** With `item`, what makes it happen once: the number of the message within the operation, from 0. */
  operation_id: string;
  item: number;
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
  /** Until then its sender is at work. */
  deadline_at: Date;
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

/** An operation that was reported to have accepted nothing, and therefore never may. */
export interface WithdrawnOperationRow {
  organization_id: string;
  environment: Environment;
  operation_id: string;
  withdrawn_at: Date;
}
