import { messageReply } from '../web-api/message-reply.ts';
import { BOT } from '../web-api/token.ts';
import { viewReply } from '../web-api/view-content.ts';
import { findUser } from '../world/directory.ts';
import type { Message } from '../world/message.ts';
import type { OpenView } from '../world/view-store.ts';

/** Values of inputs by block and action id. */
export type State = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The use of an element. */
export interface UsedElement {
  readonly user: string;
  /** The action as the platform sends it: type, ids, and the choice. */
  readonly action: Readonly<Record<string, unknown>>;
  readonly state: State;
  readonly trigger: string;
}

type JsonObject = Record<string, unknown>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Adds the ids that the platform gives to blocks without one. */
export const withBlockIds = (blocks: readonly unknown[]): unknown[] =>
  blocks.map((block, index) =>
    isObject(block) && block.block_id === undefined ? { ...block, block_id: `b${index}` } : block,
  );

const frame = (workspace: string, user: string): JsonObject => ({
  team: { id: workspace, domain: workspace.slice(1).toLowerCase() },
  user: {
    id: user,
    username: findUser(user)?.email.split('@')[0] ?? user.toLowerCase(),
    name: findUser(user)?.email.split('@')[0] ?? user.toLowerCase(),
    team_id: workspace,
  },
  api_app_id: BOT.appId,
  token: 'deprecated',
  enterprise: null,
  is_enterprise_install: false,
});

const shown = ({ view, ...open }: OpenView): JsonObject => ({
  ...viewReply({ ...open, view }),
  blocks: withBlockIds(Array.isArray(view.blocks) ? view.blocks : []),
  app_id: BOT.appId,
  bot_id: BOT.botId,
});

/** The payload for the use of an element of a message. */
export const messageAction = (
  message: Message,
  { user, action, state, trigger }: UsedElement,
): JsonObject => ({
  type: 'block_actions',
  ...frame(message.workspace, user),
  container: {
    type: 'message',
    message_ts: message.ts,
    channel_id: message.channel,
    is_ephemeral: false,
  },
  trigger_id: trigger,
  channel: { id: message.channel, name: message.channel },
  message: { ...messageReply(message, true), blocks: withBlockIds(message.blocks) },
  state: { values: state },
  actions: [{ ...action, action_ts: trigger.slice(0, 17) }],
});

/** The payload for the use of an element of a modal. */
export const viewAction = (open: OpenView, { user, action, state, trigger }: UsedElement): JsonObject => ({
  type: 'block_actions',
  ...frame(open.workspace, user),
  container: { type: 'view', view_id: open.id },
  trigger_id: trigger,
  view: { ...shown(open), state: { values: state } },
  actions: [{ ...action, action_ts: trigger.slice(0, 17) }],
});

/** The payload for a submitted modal. */
export const viewSubmission = (open: OpenView, state: State, trigger: string): JsonObject => ({
  type: 'view_submission',
  ...frame(open.workspace, open.user),
  trigger_id: trigger,
  view: { ...shown(open), state: { values: state } },
  response_urls: [],
});
