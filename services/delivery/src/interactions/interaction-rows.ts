import type { Environment, ErrorCode, Interaction } from '@stanza/contracts';
import type { MessageActions } from './message-actions.ts';

type JsonObject = Record<string, unknown>;

/** What somebody clicked or submitted. */
export interface InteractionRow {
  organization_id: string;
  environment: Environment;
  id: string;
  /** What makes it happen once, however often the platform delivers it: its trigger, or the view and its hash. */
  dedupe_key: string;
  kind: Interaction['kind'];
  workspace_id: string;
  user_id: string;
  user_name: string | null;
  /** The message that it began with, and where that stands. */
  message_id: string;
  template_id: string;
  channel: string;
  message_ts: string;
  /** The element of the message that was used; a submission has that of the click which opened its modal. */
  block_id: string | null;
  action_id: string | null;
  action_type: string | null;
  value: unknown;
  /** The interaction that opened the modal which was submitted. */
  opened_by: string | null;
  /** What was entered so far, by action id: the steps of a modal add to it. */
  form: JsonObject;
  /** The values that the message kept for the element, by path. */
  kept: JsonObject;
  /** The action whose modal it opens, if it opens one. */
  opening: JsonObject | null;
  /** The actions that wait for that modal to be submitted. */
  rest: JsonObject[];
  /** What a submission was answered with, to be answered again. */
  response: JsonObject | null;
  request_id: string;
  created_at: Date;
}

/** One action of an interaction. */
export interface InteractionActionRow {
  organization_id: string;
  environment: Environment;
  interaction_id: string;
  position: number;
  type: Interaction['actions'][number]['type'];
  /** As the template says it, with its placeholders. */
  action: JsonObject;
  message_id: string;
  status: Interaction['actions'][number]['status'];
  /** The content of the message has it already; only the platform may not know. */
  applied: boolean;
  /** When it is tried next; ahead of now while a process is at it. */
  due_at: Date;
  tries: number;
  delivery_id: string | null;
  error: ErrorCode | null;
  error_details: string | null;
  created_at: Date;
  ended_at: Date | null;
  /** Of the interaction, where it was traced. */
  traceparent: string | null;
}

/** What an interactive message shows, from its first use on: updates build on it, and are posted from it. */
export interface MessageContentRow extends MessageActions {
  organization_id: string;
  environment: Environment;
  message_id: string;
  blocks: JsonObject[];
  text: string;
  updated_at: Date;
}
