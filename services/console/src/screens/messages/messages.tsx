import type { listMessages, Message, ReplyOf } from '@stanza/contracts';
import { lazy, Suspense, useId, useState } from 'react';
import { api } from '../../api/operations.ts';
import { useRead } from '../../api/use-api.ts';
import { useChatNames } from '../../shell/chat-names.ts';
import { FilterDays, FilterSelect, FilterText } from '../../shell/filter-fields.tsx';
import { momentsOf } from '../../shell/moments.ts';
import { ScreenLink } from '../../shell/screen-link.tsx';
import {
  type ChatNames,
  targetChoices,
  targetFilter,
  targetIds,
  targetName,
} from '../../shell/target-names.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Listing, withNames } from '../../ui/listing.tsx';
import { PageHead, Toolbar } from '../../ui/page.tsx';
import { reasonOf } from '../../ui/reasons.ts';
import { Empty } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { useTemplates } from '../template-names.ts';
import { ExportMessages } from './export.tsx';
import styles from './messages.module.css';

const Outcomes = lazy(async () => ({ default: (await import('./outcomes.tsx')).Outcomes }));

/** Counted when it is opened, since it takes a search for each day and outcome. */
const OutcomesByDay = () => {
  const [isOpen, open] = useState(false);
  return (
    <details className={styles.outcomes} onToggle={({ currentTarget }) => open(currentTarget.open)}>
      <summary>Sent and failed by day</summary>
      {isOpen && (
        <Suspense>
          <Outcomes />
        </Suspense>
      )}
    </details>
  );
};

const statuses = ['accepted', 'posting', 'sent', 'failed', 'unknown', 'deleted'] as const;

const origins = [
  ['', 'Anything'],
  ['send', 'A send'],
  ['bulk', 'A bulk send'],
  ['batch', 'A queue'],
  ['schedule', 'A schedule'],
] as const;

const ofPrograms = ['request', 'key', 'message_key'] as const;

/** What programs name messages by, which few people look for. */
const MoreFilters = () => {
  const { given } = useFilters();
  return (
    <details className={styles.more} open={ofPrograms.some((name) => given(name) !== undefined) || undefined}>
      <summary>Search by ids and keys</summary>
      <div>
        <FilterText name="request" label="Request id" placeholder="X-Request-Id of the answer" />
        <FilterText name="key" label="Idempotency key" placeholder="As the caller gave it" />
        <FilterText name="message_key" label="Message key" placeholder="As deploy-4711" />
      </div>
    </details>
  );
};

const Filters = ({ names }: { names: ChatNames }) => {
  const list = useId();
  const { value } = useFilters();
  const { optionsWith } = useTemplates();
  return (
    <Toolbar label="Filter messages">
      <FilterText name="target" label="Channel or person" placeholder="Name or id" list={list} />
      <datalist id={list}>
        {targetChoices(names).map((it) => (
          <option key={it} value={it} />
        ))}
      </datalist>
      <FilterSelect
        name="template"
        label="Template"
        options={[['', 'Every template'], ...optionsWith(value('template'))]}
      />
      <FilterSelect name="status" label="Outcome" options={[['', 'Every outcome'], ...statuses]} />
      <FilterSelect name="origin" label="Came from" options={origins} />
      <FilterSelect
        name="test"
        label="Tests"
        options={[
          ['', 'With tests'],
          ['false', 'Without tests'],
          ['true', 'Tests alone'],
        ]}
      />
      <FilterDays />
      <FilterSelect
        name="order"
        label="Order"
        options={[
          ['', 'The newest first'],
          ['created_at', 'The oldest first'],
        ]}
      />
      <MoreFilters />
    </Toolbar>
  );
};

const filterNames = [
  ...['target', 'template', 'status', 'origin', 'test', 'from', 'to'],
  ...['order', 'cursor', ...ofPrograms],
];

/** Continues a search, which looks at ten thousand messages at a time. */
const SearchEnd = ({ data, pagination, next_cursor }: ReplyOf<typeof listMessages>) => {
  const { given, set } = useFilters();
  const isFurther = given('cursor') !== undefined;
  const isEnd = isFurther || pagination.offset + data.length >= pagination.total;
  if (!isEnd || (!next_cursor && !isFurther)) return null;
  return (
    <div className={styles.searchEnd}>
      <p>
        {next_cursor
          ? 'A search looks at ten thousand messages at a time. There are more to look at.'
          : 'The search has reached its end.'}
      </p>
      {next_cursor && <Button onClick={() => set({ cursor: next_cursor })}>Search on</Button>}
      {isFurther && <Button onClick={() => set({ cursor: '' })}>Back to the start</Button>}
    </div>
  );
};

/** Beyond its cursor a list is not counted: it goes on from message to message. */
const withoutPages = (page: ReplyOf<typeof listMessages> | undefined) =>
  page && { ...page, pagination: { ...page.pagination, total: page.data.length } };

/** The log of messages in the chosen order, the newest first by default; it is read again every five seconds. */
export const Messages = () => {
  const { given, offset, set } = useFilters();
  const { nameOf, isLoading } = useTemplates();
  const target = given('target');
  const known = useChatNames(target !== undefined, [target]);
  const filters = {
    template_id: given('template'),
    status: given('status'),
    origin: given('origin'),
    test: given('test'),
    request_id: given('request'),
    idempotency_key: given('key'),
    message_key: given('message_key'),
    ...targetFilter(target, known),
    ...momentsOf(given('from'), given('to')),
    sort: given('order'),
    cursor: given('cursor'),
  };
  // Until the names are there a name would be asked for as an id, which nothing has.
  const enabled = !known.areLoading;
  const read = useRead(api.listMessages, { query: { ...filters, offset } }, { enabled, everyMs: 5_000 });
  const shown = read.data?.data ?? [];
  const sought = [target, ...shown.flatMap(({ destination }) => targetIds(destination))];
  const names = useChatNames(target !== undefined || shown.length > 0, sought);
  const isFiltered = filterNames.some((name) => given(name) !== undefined);
  return (
    <>
      <PageHead
        title="Messages"
        actions={
          <ExportMessages
            query={filters}
            rowOf={(message) => ({
              accepted: message.created_at,
              template: message.template_id === null ? 'Blocks' : nameOf(message.template_id),
              version: message.version_number ?? '',
              test: message.test ? 'yes' : 'no',
              to: targetName(message.destination, names),
              outcome: message.status,
              why: reasonOf(message.error_details ?? message.error ?? ''),
              attempts: message.attempts.length,
              message: message.id,
              request: message.request_id,
            })}
          />
        }
      >
        Every message that was sent from this environment, and what became of it. The list follows new ones by
        itself.
      </PageHead>
      <Filters names={names} />
      <OutcomesByDay />
      <Listing<Message>
        label="Messages"
        read={withNames(
          filters.cursor === undefined ? read : { ...read, data: withoutPages(read.data) },
          isLoading,
        )}
        rowKey={({ id }) => id}
        onOffset={(to) => set({ offset: to })}
        columns={[
          {
            title: 'Template',
            cell: ({ id, template_id, version_number, test }) => (
              <span>
                <ScreenLink screen="messages" item={id}>
                  {template_id === null ? 'Blocks' : nameOf(template_id)}
                </ScreenLink>{' '}
                · {version_number === null ? 'draft' : `version ${version_number}`}
                {test && ' · test'}
              </span>
            ),
          },
          { title: 'To', cell: ({ destination }) => targetName(destination, names) },
          { title: 'Outcome', cell: ({ status }) => <StateBadge state={status} /> },
          { title: 'Calls', cell: ({ attempts }) => attempts.length, isNumber: true },
          { title: 'When', cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
        empty={
          isFiltered ? (
            <Empty title={read.data?.next_cursor ? 'No message matches so far' : 'No message matches'}>
              Take a filter away to see more.
            </Empty>
          ) : (
            <Empty
              title="No message yet"
              action={<ScreenLink screen="templates">Go to the templates</ScreenLink>}
            >
              Messages appear here as soon as a program, a queue or a schedule sends one.
            </Empty>
          )
        }
      />
      {isFiltered && read.data && <SearchEnd {...read.data} />}
    </>
  );
};
