import type { InputOf, listInteractions, Page } from '@stanza/contracts';
import { type Database, type Queryable, statement, type Tenant } from '@stanza/runtime';
import { In } from 'typeorm';
import { interactionActionEntity, interactionEntity } from '../../store/entities.ts';
import type { LoggedInteraction } from '../present-interaction.ts';

/** The filters and the page of a list of interactions. */
export type InteractionQuery = InputOf<typeof listInteractions>['query'];

/** Lists interactions with their actions, newest first, from one snapshot. */
export const pageOfInteractions = (
  { organizationId: organization_id, environment }: Tenant,
  database: Database,
  { kind, message_id, user_id, limit, offset }: InteractionQuery,
): Promise<Page<LoggedInteraction>> =>
  database.transaction(
    async ({ orm }) => {
      const [rows, total] = await orm.findAndCount(interactionEntity, {
        where: {
          organization_id,
          environment,
          ...(kind !== undefined && { kind }),
          ...(message_id !== undefined && { message_id }),
          ...(user_id !== undefined && { user_id }),
        },
        order: { id: 'DESC' },
        take: limit,
        skip: offset,
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

/** Rows deleted by one statement, which limits the time that its locks are held. */
const chunk = 2_000;

const deletion = (table: string, column: string, more = '') =>
  statement<{ deleted: number }>(
    `forget-${table.replaceAll('_', '-')}`,
    `with old as (
       select ctid
       from ${table}
       where ${column} < $1${more}
       limit ${chunk}
       for update skip locked
     ), gone as (
       delete from ${table}
       using old
       where ${table}.ctid = old.ctid
       returning 1
     )
     select count(*) as deleted
     from gone`,
  );

const deletions = {
  actions: deletion('interaction_actions', 'created_at', " and status <> 'waiting'"),
  interactions: deletion('interactions', 'created_at'),
  contents: deletion('message_contents', 'updated_at'),
};

const deleteOld = async (db: Queryable, which: keyof typeof deletions, before: Date): Promise<void> => {
  for (;;) {
    const [row] = await db.query(deletions[which], [before]);
    if ((row?.deleted ?? 0) < chunk) return;
  }
};

/** Deletes interactions, of every tenant, that are older than a moment. */
export const deleteOldInteractions = async (db: Queryable, before: Date): Promise<void> => {
  await deleteOld(db, 'actions', before);
  await deleteOld(db, 'interactions', before);
};

/** Deletes message contents without recent use; their next use restores them. */
export const deleteOldContents = (db: Queryable, before: Date): Promise<void> =>
  deleteOld(db, 'contents', before);
