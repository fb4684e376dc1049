import type { ErrorCode } from '@stanza/contracts';
import {
  DueOrganizations,
  LostLease,
  nextDue,
  type Queryable,
  statement,
  type Tenant,
} from '@stanza/runtime';
import { columnsOf } from '@stanza/runtime/table';
import { type InteractionActionRow, interactionActions } from '../interaction-tables.ts';

/** Actions that run in the background. */
const isWaiting = "status = 'waiting' and type <> 'open_modal'";

// Organizations take turns, as those of deferred messages do. The actions of an interaction run in order: who is called
// behind an update may change the message again. So do updates of one message: a late post never restores an older state.
const claim = statement<InteractionActionRow>(
  'interaction-action-claim',
  `with due as (
     select first.organization_id, first.environment, first.interaction_id, first.position
     from unnest($3::uuid[]) as organization (organization_id)
     left join unnest($4::uuid[], $5::integer[]) as busy (organization_id, places)
       on busy.organization_id = organization.organization_id
     cross join lateral (
       select action.organization_id, action.environment, action.interaction_id, action.position, action.due_at,
         coalesce(busy.places, 0) + row_number() over (order by action.due_at) as turn
       from interaction_actions as action
       where action.organization_id = organization.organization_id
         and ${isWaiting}
         and due_at <= (select clock_timestamp())
         and not exists (
           select 1
           from interaction_actions as earlier
           where earlier.organization_id = action.organization_id
             and earlier.environment = action.environment
             and earlier.message_id = action.message_id
             and earlier.interaction_id = action.interaction_id
             and earlier.position < action.position
             and earlier.status = 'waiting')
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
       order by action.due_at
       limit greatest(0, $6 - coalesce(busy.places, 0))) as first
     order by first.turn, first.due_at, first.interaction_id, first.position
     limit $2
   ),
   mine as (
     select action.organization_id, action.environment, action.interaction_id, action.position
     from due
     join interaction_actions as action
       on action.organization_id = due.organization_id
       and action.environment = due.environment
       and action.interaction_id = due.interaction_id
       and action.position = due.position
     where action.status = 'waiting'
       and action.due_at <= clock_timestamp()
     for update of action skip locked
   )
   update interaction_actions as action
   set due_at = clock_timestamp() + $1 * interval '1 millisecond', tries = action.tries + 1
   from mine
   where action.organization_id = mine.organization_id
     and action.environment = mine.environment
     and action.interaction_id = mine.interaction_id
     and action.position = mine.position
   returning ${columnsOf(interactionActions, 'action')}`,
);

/** The limits of a claim. */
export interface ActionRoom {
  /** Most actions claimed now. */
  places: number;
  /** Most actions of one organization in flight. */
  share: number;
  /** Actions in flight, by organization. */
  underWay: ReadonlyMap<string, number>;
  /** Organizations with due actions. */
  organizations: readonly string[];
}

/**
 * Claims due actions, of any tenant, for `leaseMs` milliseconds by the database's clock; after that others may claim
 * them. `tries` is the fence of the lease.
 */
export const claimActions = (
  db: Queryable,
  leaseMs: number,
  { places, share, underWay, organizations }: ActionRoom,
): Promise<InteractionActionRow[]> =>
  db.query(claim, [leaseMs, places, organizations, [...underWay.keys()], [...underWay.values()], share]);

/** Makes what finds the organizations with due actions. */
export const dueActors = (): DueOrganizations =>
  new DueOrganizations({ name: 'interaction-action', table: 'interaction_actions', where: isWaiting });

/** See {@link claimActions}. */
export const nextAction = nextDue('interaction-action-next', {
  from: 'interaction_actions',
  moment: 'due_at',
  where: isWaiting,
});

/** Identifies an action, and the fence of its lease; 0 before the first claim. */
export type ActionKey = Pick<InteractionActionRow, 'interaction_id' | 'position' | 'tries'>;

const requireOne = (rows: readonly object[]): void => {
  if (rows.length === 0) throw new LostLease();
};

/** The condition of an action that waits under the lease of its claimer. */
const isLeased = `organization_id = $1
     and environment = $2
     and interaction_id = $3
     and position = $4
     and tries = $5
     and status = 'waiting'`;

const postpone = statement<Pick<InteractionActionRow, 'position'>>(
  'interaction-action-postpone',
  `update interaction_actions
   set due_at = clock_timestamp() + $6 * interval '1 millisecond', error = $7
   where ${isLeased}
   returning position`,
  { wakes: 'run-interaction-actions' },
);

/**
 * Postpones an action after a transient error.
 * @throws LostLease when another process has claimed it, or it has ended
 */
export const postponeAction = async (
  tenant: Tenant,
  db: Queryable,
  { interaction_id, position, tries }: ActionKey,
  delayMs: number,
  error: ErrorCode,
): Promise<void> => {
  const values = [interaction_id, position, tries, delayMs, error];
  requireOne(await db.query(postpone, [tenant.organizationId, tenant.environment, ...values]));
};

/** The end of an action. */
export interface ActionEnd {
  status: 'done' | 'failed' | 'unknown';
  error?: ErrorCode;
  errorDetails?: string | undefined;
  deliveryId?: string;
}

const end = statement<Pick<InteractionActionRow, 'position'>>(
  'interaction-action-end',
  `update interaction_actions
   set status = $6, error = $7, error_details = $8, delivery_id = $9, ended_at = clock_timestamp()
   where ${isLeased}
   returning position`,
  { wakes: 'run-interaction-actions' },
);

/**
 * Writes the end of an action.
 * @returns false when another process has claimed it, or it has ended before
 */
export const endAction = async (
  tenant: Tenant,
  db: Queryable,
  { interaction_id, position, tries }: ActionKey,
  { status, error, errorDetails, deliveryId }: ActionEnd,
): Promise<boolean> => {
  const outcome = [status, error ?? null, errorDetails ?? null, deliveryId ?? null];
  const values = [tenant.organizationId, tenant.environment, interaction_id, position, tries, ...outcome];
  return (await db.query(end, values)).length > 0;
};

const endShown = statement<Record<string, never>>(
  'interaction-opening-end',
  `update interaction_actions
   set status = $5, error = $6, error_details = $7, ended_at = clock_timestamp()
   where organization_id = $1
     and environment = $2
     and interaction_id = $3
     and position = $4
     and status <> 'done'`,
);

/** Writes the end of showing the next step of a modal, which a repeat of the submission may still bring about. */
export const endOpening = async (
  tenant: Tenant,
  db: Queryable,
  { interaction_id, position }: Omit<ActionKey, 'tries'>,
  { status, error, errorDetails }: ActionEnd,
): Promise<void> => {
  const values = [interaction_id, position, status, error ?? null, errorDetails ?? null];
  await db.query(endShown, [tenant.organizationId, tenant.environment, ...values]);
};

const markApplied = statement<Pick<InteractionActionRow, 'position'>>(
  'interaction-action-applied',
  `update interaction_actions
   set applied = true
   where organization_id = $1
     and environment = $2
     and interaction_id = $3
     and position = $4
     and tries = $5
     and status = 'waiting'
     and not applied
   returning position`,
);

/**
 * Marks an update as applied to its message's content, in the transaction that applies it.
 * @throws LostLease when another process has claimed it, has applied it, or it has ended
 */
export const markActionApplied = async (
  tenant: Tenant,
  db: Queryable,
  { interaction_id, position, tries }: ActionKey,
): Promise<void> => {
  const values = [tenant.organizationId, tenant.environment, interaction_id, position, tries];
  requireOne(await db.query(markApplied, values));
};

const giveUpOpenings = statement<Pick<InteractionActionRow, 'interaction_id'>>(
  'interaction-openings-unknown',
  `update interaction_actions
   set status = 'unknown', error = 'delivery_outcome_unknown', ended_at = clock_timestamp()
   where status = 'waiting'
     and type = 'open_modal'
     and due_at <= (select clock_timestamp()) - $1 * interval '1 millisecond'
   returning interaction_id`,
);

/** Ends modal openings older than the given milliseconds: a trigger is valid for seconds, and once. */
export const endLostOpenings = async (db: Queryable, ageMs: number): Promise<number> =>
  (await db.query(giveUpOpenings, [ageMs])).length;
