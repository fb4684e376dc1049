import type { Message, MessageDetails, MessageRevision } from '@stanza/contracts';
import { api } from '../../api/operations.ts';
import { useActing } from '../../api/session-context.ts';
import { useRead } from '../../api/use-api.ts';
import { useAuthors } from '../../editor/use-authors.ts';
import { useMay } from '../../shell/allowed.tsx';
import { ScreenLink } from '../../shell/screen-link.tsx';
import { useKeys } from '../../shell/whole-lists.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { Section } from '../../ui/page.tsx';
import { reasonOf } from '../../ui/reasons.ts';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { callOf, requesterOf, unknownCaller } from './words.ts';

const fewMinutes = 5 * 60_000;

const Caller = ({ id }: { id: string }) => {
  const { session } = useActing();
  const authors = useAuthors();
  // Messages of earlier releases have the subject of a session.
  const isMe = authors.isMe(id) || (session.kind === 'person' && session.subject === id);
  const { data, isLoading } = useKeys(!isMe);
  if (isMe) return <>you</>;
  if (isLoading) return <>…</>;
  const key = data?.find((it) => it.id === id);
  if (key !== undefined) return <ScreenLink screen="keys">the key {key.name}</ScreenLink>;
  return <>{authors.memberName(id) ?? unknownCaller(id)}</>;
};

const OfQueue = ({ id }: { id: string }) => {
  const enabled = useMay('organizations:read');
  const queue = useRead(api.getQueue, { params: { id } }, { enabled, staleMs: fewMinutes });
  return (
    <ScreenLink screen="queues" item={id}>
      {queue.data === undefined ? 'a queue' : `the queue ${queue.data.name}`}
    </ScreenLink>
  );
};

/** Who asked for a message or a change of it, with a link where there is something to see. */
export const RequestedBy = ({ actor }: { actor: string }) => {
  const { kind, id } = requesterOf(actor);
  if (kind === 'caller') return <Caller id={id} />;
  if (kind === 'interaction') return <ScreenLink screen="events">a click</ScreenLink>;
  if (kind === 'queue') return <OfQueue id={id} />;
  return (
    <ScreenLink screen="schedules" item={id}>
      a schedule
    </ScreenLink>
  );
};

const kinds: Readonly<Record<MessageRevision['kind'], string>> = {
  post: 'Posted',
  update: 'Updated',
  interaction: 'Updated by a click',
  delete: 'Deleted',
};

/** A deletion is done, not sent; so is an update. */
const statusOf = (status: MessageRevision['status']): string => (status === 'sent' ? 'done' : status);

/** What the channel has shown, one after the other. */
export const Revisions = ({ revisions }: Pick<MessageDetails, 'revisions'>) => (
  <Section title="Revisions" about="What the channel has shown, and what was to be shown.">
    <Table
      label="Revisions"
      rows={revisions}
      rowKey={({ revision }) => String(revision)}
      columns={[
        { title: 'Revision', cell: ({ revision }) => revision, isNumber: true },
        { title: 'What', cell: ({ kind }) => kinds[kind] },
        { title: 'Status', cell: ({ status }) => <StateBadge state={statusOf(status)} /> },
        { title: 'Version', cell: ({ version_number }) => version_number ?? '–', isNumber: true },
        { title: 'By', cell: ({ actor }) => <RequestedBy actor={actor} /> },
        { title: 'Error', cell: ({ error }) => (error === undefined ? '–' : reasonOf(error)) },
        { title: 'When', cell: ({ at }) => <Time at={at} exact="seconds" /> },
      ]}
    />
  </Section>
);

/** The calls to the platform. */
export const Attempts = ({ attempts }: Pick<Message, 'attempts'>) => (
  <Section title="Calls" about="Each call to the chat platform that was made to post the message.">
    {attempts.length === 0 ? (
      <Empty title="No call yet">The platform has not been called for this message.</Empty>
    ) : (
      <Table
        label="Calls"
        rows={attempts}
        rowKey={({ started_at, method }) => `${started_at} ${method}`}
        columns={[
          { title: 'Call', cell: ({ method }) => <span title={method}>{callOf(method)}</span> },
          {
            title: 'Answer',
            cell: ({ outcome, http_status }) => (
              <span title={http_status === null ? outcome : `${outcome}, HTTP ${http_status}`}>
                {reasonOf(outcome)}
              </span>
            ),
          },
          { title: 'Took', cell: ({ latency_ms }) => `${latency_ms} ms`, isNumber: true },
          { title: 'When', cell: ({ started_at }) => <Time at={started_at} exact="seconds" /> },
        ]}
      />
    )}
  </Section>
);
