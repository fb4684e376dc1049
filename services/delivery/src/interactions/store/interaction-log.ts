import { type InputOf, limits, type listInteractions, type Page, readLogPlace } from '@stanza/contracts';
import { type Database, deletion, entityOf, type Queryable, statement, type Tenant } from '@stanza/runtime';
import { In, LessThan } from 'typeorm';
import { interactionActions, interactions } from '../interaction-tables.ts';
import type { LoggedInteraction } from '../present-interaction.ts';

/** The entity of {@link interactions}. */
export const interactionEntity = entityOf(interactions);

/** The entity of {@link interactionActions}. */
export const interactionActionEntity = entityOf(interactionActions);

/** The filters and the page of a list of interactions. */
export type InteractionQuery = InputOf<typeof listInteractions>['query'];

const selectFitting = statement<{ id: string }>(
  'interactions-that-fit',
  `select id
   from (
     select id,
       sum(octet_length(form::text) + coalesce(octet_length(value::text), 0) + coalesce(octet_length(response::text), 0))
         over (order by id desc rows between unbounded preceding and 1 preceding) as bytes_before
     from interactions
     where organization_id = $1 and environment = $2 and id = any ($3::uuid[])
   ) as page
   where coalesce(bytes_before, 0) < $4`,
);

/**
 * Lists interactions with their actions, newest first, from one snapshot. People enter up to megabytes into a modal, so a
 * page ends early, with one interaction at least, before an answer has more than a call between services carries.
 */
export const pageOfInteractions = (
  { organizationId: organization_id, environment }: Tenant,
  database: Database,
  { kind, message_id, user_id, cursor, limit, offset }: InteractionQuery,
): Promise<Page<LoggedInteraction>> =>
  database.transaction(
    async (tx) => {
      const { orm } = tx;
      const [asked, total] = await orm.findAndCount(interactionEntity, {
        select: { id: true },
        where: {
          organization_id,
          environment,
          ...(kind !== undefined && { kind }),
          ...(message_id !== undefined && { message_id }),
          ...(user_id !== undefined && { user_id }),
          ...(cursor !== undefined && { id: LessThan(readLogPlace(cursor).id) }),
        },
        order: { id: 'DESC' },
        take: limit,
        skip: offset,
      });
      const ids = asked.map(({ id }) => id);
      const fitting = await tx.query(selectFitting, [organization_id, environment, ids, limits.pageBytes]);
      const rows = await orm.find(interactionEntity, {
        where: { organization_id, environment, id: In(fitting.map(({ id }) => id)) },
        order: { id: 'DESC' },
      });
      const actions = await orm.find(interactionActionEntity, {
        where: { organization_id, environment, interaction_id: In(rows.map(({ id }) => id)) },
        order: { position: 'ASC' },
      });
      const actionsOf = (id: string) => actions.filter((it) => it.interaction_id === id);
      return { items: rows.map((row) => ({ row, actions: actionsOf(row.id) })), total };
    },
    { isolation: 'REPEATABLE READ' },
  );

const forgetActions = deletion('forget-interaction-actions', {
  from: 'interaction_actions',
  where: "created_at < (select clock_timestamp()) - $1::integer * interval '1 day' and status <> 'waiting'",
});
const forgetInteractions = deletion('forget-interactions', {
  from: 'interactions',
  where: "created_at < (select clock_timestamp()) - $1::integer * interval '1 day'",
});
const forgetContents = deletion('forget-message-contents', {
  from: 'message_contents',
  where: "updated_at < (select clock_timestamp()) - interval '7 days'",
});

/** Deletes interactions, of every tenant, that are older than the given days. */
export const deleteOldInteractions = async (db: Queryable, days: number): Promise<void> => {
  await forgetActions(db, [days]);
  await forgetInteractions(db, [days]);
};

/** Deletes message contents that were not used for a week; their next use restores them. */
export const deleteOldContents = async (db: Queryable): Promise<void> => {
  await forgetContents(db);
};
