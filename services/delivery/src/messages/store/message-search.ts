import { messagesLookedAt } from '@stanza/contracts';
import {
  firstIdOf,
  InvariantError,
  type Reports,
  type Statement,
  statement,
  type Tenant,
  type Transaction,
} from '@stanza/runtime';
import { In } from 'typeorm';
import { type IdRange, idsBeforeCharge } from './by-charge.ts';
import { isMessage } from './by-id.ts';
import { messagesOfKey } from './by-key.ts';
import { messageFilters } from './message-filters.ts';
import { type LogPage, type MessageQuery, messageEntity } from './message-log.ts';

/** Filters that no index serves, and the cursor: a query with one of them is a search. */
const searched = [
  'template_key',
  'version_id',
  'channel',
  'recipient',
  'origin',
  'test',
  'request_id',
  'from',
  'to',
  'before',
] as const;

type Order = 'asc' | 'desc';

const orderOf = ({ sort }: MessageQuery): Order => (sort === 'created_at' ? 'asc' : 'desc');

/** True where the answer needs a look at messages one by one; the log's own order is the newest first. */
export const isSearch = (query: MessageQuery): boolean =>
  orderOf(query) === 'asc' || searched.some((name) => query[name] !== undefined);

/** A query with the id of the template that its key names. */
export type MessageSearch = MessageQuery & { keyed_template_id?: string | undefined };

interface Found {
  looked: number;
  last_looked: string | null;
  total: number;
  ids: string[];
}

type Search = Readonly<Record<Order, Statement<Found>>>;

/** The SQL that walks messages in the order of their ids. */
type Walk = (order: Order) => string;

// The messages are walked by an index in the order of their ids, and no further than a number of them: the cost is the
// same whatever is filtered, and no filter needs an index of its own, which each of a message's writes would pay for.
const searchIn = (order: Order, name: string, walk: Walk): Statement<Found> =>
  statement<Found>(
    `messages-search-${name}`,
    `with looked as materialized (
       ${walk(order)}
     ), found as (
       select id
       from looked
       where ${messageFilters}
         and ($14::timestamptz is null or created_at >= $14)
         and ($15::timestamptz is null or created_at < $15)
         and ($18::text is null or request_id = $18)
         and ($19::uuid is null or (credit_log_id = $19 and charged))
         and ($20::text is null or message_key = $20)
     )
     select
       (select count(*) from looked) as looked,
       (select id from looked order by id ${order === 'desc' ? 'asc' : 'desc'} limit 1) as last_looked,
       (select count(*) from found) as total,
       array(select id from found order by id ${order} limit $16 offset $17)::text[] as ids`,
  );

const searchBy = (name: string, walk: Walk): Search => ({
  desc: searchIn('desc', name, walk),
  asc: searchIn('asc', `${name}-oldest`, walk),
});

const filtered = `id, status, template_id, version_id, channel, channel_id, recipient_email, recipient_chat_id, origin,
         test, request_id, credit_log_id, charged, created_at, revises, message_key`;

/** Walks the messages themselves, those that a condition selects. */
const messagesBy =
  (narrowing: string): Walk =>
  (order) =>
    `select ${filtered}
       from messages
       where organization_id = $1
         and environment = $2
         and id < $3
         and id >= $4
         and ${narrowing}
       order by id ${order}
       limit ${messagesLookedAt}`;

/** Walks the states of a status; the message of each is read by its id. */
const statesOfStatus: Walk = (order) => `select ${filtered}
       from (
         select message_id
         from message_states
         where organization_id = $1
           and environment = $2
           and message_id < $3
           and message_id >= $4
           and status = $5::text
           and status <> 'sent'
         order by message_id ${order}
         limit ${messagesLookedAt}
       ) as state
       cross join lateral (
         select ${filtered}
         from messages
         where ${isMessage('messages', { organization: '$1', environment: '$2', id: 'state.message_id' })}
         limit 1) as message`;

/**
 * By the index that narrows the most: of a key there are few messages, of a template fewer than of a status. Messages that
 * are sent are most of all, and found among them.
 */
const searches = {
  key: searchBy('key', messagesBy('id = any ($5::uuid[])')),
  named: searchBy('named', messagesBy('message_key = $5::text and revises is null')),
  template: searchBy('template', messagesBy('template_id = $5::uuid')),
  status: searchBy('status', statesOfStatus),
  all: searchBy('all', messagesBy('$5::text is null')),
};

const narrowestOf = async (
  tenant: Tenant,
  tx: Transaction,
  { idempotency_key, message_key, template_id, keyed_template_id, status }: MessageSearch,
): Promise<[Search, string | string[] | null]> => {
  if (idempotency_key !== undefined) return [searches.key, await messagesOfKey(tenant, tx, idempotency_key)];
  if (message_key !== undefined) return [searches.named, message_key];
  const templateId = template_id ?? keyed_template_id;
  if (templateId !== undefined) return [searches.template, templateId];
  return status === undefined || status === 'sent' ? [searches.all, null] : [searches.status, status];
};

const lowest = '00000000-0000-0000-0000-000000000000';
const highest = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Milliseconds by which the moment in the id of a message may differ from its row's: the id is made by the clock of a
 * process, some time before the row is written by that of the database.
 */
const idSlackMs = 5 * 60_000;

/** The least id that is greater than this one, which is not the greatest. */
const idAfter = (id: string): string =>
  (BigInt(`0x${id.replaceAll('-', '')}`) + 1n)
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** The ids on the other side of the message at which the page before has ended. */
const idsBeyond = (cursor: string | undefined, order: Order): IdRange => {
  if (cursor === undefined || order === 'desc') return { from: lowest, below: cursor ?? highest };
  return { from: cursor === highest ? highest : idAfter(cursor), below: highest };
};

/** The ids of a time range, of what is beyond a message and of a charge, which bound the walk; the rows decide. */
const idsOf = (search: MessageSearch): IdRange => {
  const { from, to, before, credit_log_id } = search;
  const idAt = (moment: string, slack: number) =>
    firstIdOf(new Date(Math.max(0, Date.parse(moment) + slack)));
  const ranges: IdRange[] = [
    idsBeyond(before, orderOf(search)),
    {
      from: from === undefined ? lowest : idAt(from, -idSlackMs),
      below: to === undefined ? highest : idAt(to, idSlackMs),
    },
    ...(credit_log_id === undefined ? [] : [idsBeforeCharge(credit_log_id)]),
  ];
  return ranges.reduce((one, other) => ({
    from: one.from > other.from ? one.from : other.from,
    below: one.below < other.below ? one.below : other.below,
  }));
};

/** Where the next search continues: after the page, or after the last message that was looked at. */
const continuation = (
  { looked, last_looked, total, ids }: Found,
  { offset }: MessageSearch,
): string | null => {
  if (offset + ids.length < total) return ids.at(-1) ?? null;
  return looked < messagesLookedAt ? null : last_looked;
};

/** Searches the log in a bounded number of messages; all of it is read from one snapshot. */
export const searchMessages = (tenant: Tenant, reports: Reports, search: MessageSearch): Promise<LogPage> =>
  reports.transaction(
    async (tx) => {
      const { organizationId: organization_id, environment } = tenant;
      const [searchOf, narrowing] = await narrowestOf(tenant, tx, search);
      const ids = idsOf(search);
      const order = orderOf(search);
      const [found] = await tx.query(searchOf[order], [
        organization_id,
        environment,
        ids.below,
        ids.from,
        narrowing,
        search.status,
        search.template_id,
        search.keyed_template_id,
        search.version_id,
        search.channel,
        search.recipient,
        search.origin,
        search.test === undefined ? undefined : search.test === 'true',
        search.from,
        search.to,
        search.limit,
        search.offset,
        search.request_id,
        search.credit_log_id,
        search.message_key,
      ]);
      if (!found) throw new InvariantError('an aggregate has one row');
      const items = await tx.orm.find(messageEntity, {
        where: { organization_id, environment, id: In(found.ids) },
        order: { id: order },
      });
      return { items, total: found.total, nextBefore: continuation(found, search) };
    },
    { isolation: 'REPEATABLE READ' },
  );
