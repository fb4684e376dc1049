import type { ErrorCode } from '@stanza/contracts';
import { type Queryable, statement, type Tenant } from '@stanza/runtime';
import type { InteractionActionRow } from '../domain/interaction-rows.ts';

// Updates of one message are run one after the other, so that a late post never brings back an older state.
const claim = statement<InteractionActionRow>(
  'interaction-action-claim',
  `with due as (
     select organization_id, environment, interaction_id, position
     from interaction_actions as action
     where status = 'waiting'
       and type <> 'open_modal'
       and due_at <= $1
       and not (
         type = 'update_message'
         and exists (
           select 1
           from interaction_actions as earlier
           where earlier.organization_id = action.organization_id
             and earlier.environment = action.environment
             and earlier.message_id = action.message_id
             and earlier.type = 'update_message'
             and earlier.status = 'waiting'
             and (earlier.interaction_id, earlier.position) < (action.interaction_id, action.position)))
     order by due_at, interaction_id, position
     limit $3
     for update skip locked
   )
   update interaction_actions as action
   set due_at = $2, tries = action.tries + 1
   from due
   where action.organization_id = due.organization_id
     and action.environment = due.environment
     and action.interaction_id = due.interaction_id
     and action.position = due.position
   returning action.*`,
);

/** Takes actions that are due, of any tenant; a process that dies over them leaves them to others at `leaseUntil`. */
export const claimActions = (
  db: Queryable,
  now: Date,
  leaseUntil: Date,
  limit: number,
): Promise<InteractionActionRow[]> => db.query(claim, [now, leaseUntil, limit]);

/** Names an action. */
export type ActionKey = Pick<InteractionActionRow, 'interaction_id' | 'position'>;

const postpone = statement<Record<string, never>>(
  'interaction-action-postpone',
  `update interaction_actions
   set due_at = $5, error = $6
   where organization_id = $1
     and environment = $2
     and interaction_id = $3
     and position = $4
     and status = 'waiting'`,
);

/** Puts an action off that met passing trouble. */
export const postponeAction = async (
  tenant: Tenant,
  db: Queryable,
  { interaction_id, position }: ActionKey,
  dueAt: Date,
  error: ErrorCode,
): Promise<void> => {
  const values = [interaction_id, position, dueAt, error];
  await db.query(postpone, [tenant.organizationId, tenant.environment, ...values]);
};

/** How an action has ended. */
export interface ActionEnd {
  status: 'done' | 'failed' | 'unknown';
  error?: ErrorCode;
  errorDetails?: string | undefined;
  deliveryId?: string;
}

const end = statement<Pick<InteractionActionRow, 'position'>>(
  'interaction-action-end',
  `update interaction_actions
   set status = $5, error = $6, error_details = $7, delivery_id = $8, ended_at = $9
   where organization_id = $1
     and environment = $2
     and interaction_id = $3
     and position = $4
     and status = 'waiting'
   returning position`,
);

/**
 * Writes down how an action has ended.
 * @returns false when that is known already
 */
export const endAction = async (
  tenant: Tenant,
  db: Queryable,
  { interaction_id, position }: ActionKey,
  { status, error, errorDetails, deliveryId }: ActionEnd,
  now: Date,
): Promise<boolean> => {
  const values = [interaction_id, position, status, error ?? null, errorDetails ?? null, deliveryId ?? null];
  const rows = await db.query(end, [tenant.organizationId, tenant.environment, ...values, now]);
  return rows.length > 0;
};

const markApplied = statement<Pick<InteractionActionRow, 'position'>>(
  'interaction-action-applied',
  `update interaction_actions
   set applied = true
   where organization_id = $1
     and environment = $2
     and interaction_id = $3
     and position = $4
     and status = 'waiting'
     and not applied
   returning position`,
);

/**
 * Marks an update as part of its message's content, in the transaction that makes it so.
 * @returns false when it is part of it already
 */
export const markActionApplied = async (
  tenant: Tenant,
  db: Queryable,
  { interaction_id, position }: ActionKey,
): Promise<boolean> => {
  const values = [tenant.organizationId, tenant.environment, interaction_id, position];
  return (await db.query(markApplied, values)).length > 0;
};

const giveUpOpenings = statement<Pick<InteractionActionRow, 'interaction_id'>>(
  'interaction-openings-unknown',
  `update interaction_actions
   set status = 'unknown', error = 'delivery_outcome_unknown', ended_at = $2
   where status = 'waiting'
     and type = 'open_modal'
     and due_at <= $1
   returning interaction_id`,
);

/** Ends openings of modals whose process has died: a trigger is good for seconds, so that nobody can try again. */
export const endLostOpenings = async (db: Queryable, before: Date, now: Date): Promise<number> =>
  (await db.query(giveUpOpenings, [before, now])).length;
