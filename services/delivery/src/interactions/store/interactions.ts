import { findRow, type Queryable, statement, type Tenant, type Transaction } from '@stanza/runtime';
import { columnsOf } from '@stanza/runtime/table';
import type { MessageRow } from '../../messages/message-tables.ts';
import { type InteractionActionRow, type InteractionRow, interactions } from '../interaction-tables.ts';

/** A message with usable elements. */
export type UsedMessage = Pick<
  MessageRow,
  'organization_id' | 'environment' | 'id' | 'template_id' | 'workspace_id'
>;

// A message with a lost answer exists all the same: its element was just used.
const findUsed = statement<UsedMessage>(
  'interaction-message',
  `select organization_id, environment, id, template_id, workspace_id
   from messages
   where id = $1
     and workspace_id = $2
     and channel = $3
     and coalesce(message_ts, $4) = $4
     and status in ('sent', 'posting', 'unknown')`,
);

/** The location of a message at the platform. */
export interface MessagePlace {
  workspaceId: string;
  channel: string;
  messageTs: string;
}

/** Finds the message of an interaction, and with it the tenant: its key alone is not enough. */
export const findUsedMessage = (
  db: Queryable,
  key: string,
  { workspaceId, channel, messageTs }: MessagePlace,
): Promise<UsedMessage | undefined> => findRow(db, findUsed, [key, workspaceId, channel, messageTs]);

const findWhere = (name: string, column: 'id' | 'dedupe_key') =>
  statement<InteractionRow>(
    name,
    `select ${columnsOf(interactions)}
   from interactions
   where organization_id = $1 and environment = $2 and ${column} = $3`,
  );

const find = findWhere('interaction-find', 'id');

/** Reads an interaction. */
export const findInteraction = (
  tenant: Tenant,
  db: Queryable,
  id: string,
): Promise<InteractionRow | undefined> => findRow(db, find, [tenant.organizationId, tenant.environment, id]);

const insert = statement<Pick<InteractionRow, 'id' | 'created_at'>>(
  'interaction-insert',
  `insert into interactions
     (organization_id, environment, id, dedupe_key, kind, workspace_id, user_id, user_name, message_id, template_id,
      channel, message_ts, block_id, action_id, action_type, value, opened_by, form, kept, opening, rest, request_id,
      created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16::json, $17, $18::json, $19::json,
           $20::json, $21::json, $22, clock_timestamp())
   on conflict on constraint interactions_once do nothing
   returning id, created_at`,
);

/** A new interaction. */
export type NewInteraction = Omit<
  InteractionRow,
  'organization_id' | 'environment' | 'response' | 'created_at'
>;

const asJson = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value);

/**
 * Stores an interaction.
 * @returns its moment; undefined when it was delivered before
 */
export const insertInteraction = async (
  tenant: Tenant,
  tx: Transaction,
  row: NewInteraction,
): Promise<Date | undefined> => {
  const rows = await tx.query(insert, [
    tenant.organizationId,
    tenant.environment,
    row.id,
    row.dedupe_key,
    row.kind,
    row.workspace_id,
    row.user_id,
    row.user_name,
    row.message_id,
    row.template_id,
    row.channel,
    row.message_ts,
    row.block_id,
    row.action_id,
    row.action_type,
    asJson(row.value),
    row.opened_by,
    JSON.stringify(row.form),
    JSON.stringify(row.kept),
    asJson(row.opening),
    JSON.stringify(row.rest),
    row.request_id,
  ]);
  return rows[0]?.created_at;
};

const findRepeated = findWhere('interaction-by-key', 'dedupe_key');

/** Reads the interaction of an earlier delivery. */
export const findDelivered = (
  tenant: Tenant,
  db: Queryable,
  dedupeKey: string,
): Promise<InteractionRow | undefined> =>
  findRow(db, findRepeated, [tenant.organizationId, tenant.environment, dedupeKey]);

const enter = statement<Record<string, never>>(
  'interaction-enter-again',
  `update interactions
   set form = $4::json
   where organization_id = $1
     and environment = $2
     and id = $3
     and response is null`,
);

/** Stores what is entered in a submission that comes again, as long as it has no answer. */
export const enterAgain = async (
  tenant: Tenant,
  db: Queryable,
  id: string,
  form: Record<string, unknown>,
): Promise<void> => {
  await db.query(enter, [tenant.organizationId, tenant.environment, id, JSON.stringify(form)]);
};

const respond = statement<Record<string, never>>(
  'interaction-respond',
  `update interactions
   set response = $4::json
   where organization_id = $1
     and environment = $2
     and id = $3
     and response is null`,
);

/** Stores the answer to a submission; the first one wins. */
export const keepResponse = async (
  tenant: Tenant,
  db: Queryable,
  id: string,
  response: Record<string, unknown>,
): Promise<void> => {
  await db.query(respond, [tenant.organizationId, tenant.environment, id, JSON.stringify(response)]);
};

const insertAction = statement<Record<string, never>>(
  'interaction-action-insert',
  `insert into interaction_actions
     (organization_id, environment, interaction_id, position, type, action, message_id, status, due_at, created_at,
      traceparent)
   select $1, $2, $3, $4, $5, $6::json, $7, 'waiting', at, at, $8
   from date_trunc('milliseconds', clock_timestamp()) as at`,
  { wakes: 'run-interaction-actions' },
);

/** An action of an interaction to be run. */
export type NewInteractionAction = Pick<
  InteractionActionRow,
  'interaction_id' | 'position' | 'type' | 'action' | 'message_id'
> & { traceparent: string | undefined };

/** Stores the actions of an interaction, which are then due. */
export const insertActions = async (
  tenant: Tenant,
  tx: Transaction,
  actions: readonly NewInteractionAction[],
): Promise<void> => {
  for (const { interaction_id, position, type, action, message_id, traceparent } of actions) {
    const values = [interaction_id, position, type, JSON.stringify(action), message_id, traceparent];
    await tx.query(insertAction, [tenant.organizationId, tenant.environment, ...values]);
  }
};
