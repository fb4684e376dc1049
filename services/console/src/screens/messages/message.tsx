import type { Message, MessageDetails, MessageRevision } from '@stanza/contracts';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { api } from '../../api/operations.ts';
import { useActing } from '../../api/session-context.ts';
import { useRead } from '../../api/use-api.ts';
import { recipientOf } from '../../editor/send/recipients.ts';
import { useMay } from '../../shell/allowed.tsx';
import { ScreenLink } from '../../shell/screen-link.tsx';
import { StateBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Answer } from '../../ui/listing.tsx';
import { Card, PageHead, Section } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useTemplates } from '../template-names.ts';
import { targetOf } from './messages.tsx';

const explanations: Readonly<Record<Message['status'], string>> = {
  accepted: 'The message is accepted, and is posted in a moment.',
  posting: 'The message is on its way to the chat platform.',
  sent: 'The chat platform has accepted the message.',
  failed: 'The message was not posted, and costs nothing.',
  deleted: 'The message was taken out of its channel.',
  unknown:
    "The chat platform's answer was lost, so it may or may not have posted the message. It is never posted a second time by itself. Look into the channel: when the message is missing, send it again; when it is there, nothing is to be done.",
};

const kinds: Readonly<Record<MessageRevision['kind'], string>> = {
  post: 'Posted',
  update: 'Updated',
  interaction: 'Updated by a click',
  delete: 'Deleted',
};

const Revisions = ({ revisions }: Pick<MessageDetails, 'revisions'>) => (
  <Section
    title="Revisions"
    about="What the channel has shown, and what was to be shown. Programs update and delete messages."
  >
    <Table
      label="Revisions"
      rows={revisions}
      rowKey={({ revision }) => String(revision)}
      columns={[
        { title: 'Revision', cell: ({ revision }) => revision, isNumber: true },
        { title: 'What', cell: ({ kind }) => kinds[kind] },
        { title: 'Status', cell: ({ status }) => <StateBadge state={status} /> },
        { title: 'Version', cell: ({ version_number }) => version_number ?? '–', isNumber: true },
        { title: 'Error', cell: ({ error }) => error ?? '–' },
        { title: 'When', cell: ({ at }) => <Time at={at} exact /> },
      ]}
    />
  </Section>
);

const Attempts = ({ attempts }: Pick<Message, 'attempts'>) => (
  <Section title="Attempts" about="Each call to the chat platform on behalf of this message.">
    {attempts.length === 0 ? (
      <Empty title="No call yet">The platform has not been called for this message.</Empty>
    ) : (
      <Table
        label="Attempts"
        rows={attempts}
        rowKey={({ started_at, method }) => `${started_at} ${method}`}
        columns={[
          { title: 'Call', cell: ({ method }) => <code>{method}</code> },
          { title: 'Answer', cell: ({ outcome }) => outcome },
          { title: 'Status', cell: ({ http_status }) => http_status ?? '–', isNumber: true },
          { title: 'Took', cell: ({ latency_ms }) => `${latency_ms} ms`, isNumber: true },
          { title: 'When', cell: ({ started_at }) => <Time at={started_at} exact /> },
        ]}
      />
    )}
  </Section>
);

const SendDialog = lazy(async () => ({
  default: (await import('../../editor/send/send-dialog.tsx')).SendDialog,
}));

/** Sends the template of a message to where it went, with other data; a template that is gone is not offered. */
const SendAgain = ({ template_id, destination }: { template_id: string } & Pick<Message, 'destination'>) => {
  const [isOpen, open] = useState(false);
  const mayRead = useMay('templates:read');
  const { data } = useRead(api.getTemplate, { params: { id: template_id } }, { enabled: mayRead });
  if (!data?.current_version || data.lifecycle === 'archived') return null;
  return (
    <>
      <Button onClick={() => open(true)}>Send again…</Button>
      {isOpen && (
        <Suspense>
          <SendDialog template={data} to={recipientOf(destination)} onClose={() => open(false)} />
        </Suspense>
      )}
    </>
  );
};

const Details = ({ message }: { message: MessageDetails }) => {
  const { place } = useActing();
  const { nameOf } = useTemplates();
  const maySend = useMay('messages:create');
  return (
    <>
      <PageHead
        title={message.template_id === null ? 'Blocks' : nameOf(message.template_id)}
        above={<ScreenLink screen="messages">Messages</ScreenLink>}
        actions={
          message.template_id !== null && (
            <>
              <Link
                to="/$organization/$environment/templates/$template"
                params={{ ...place, template: message.template_id }}
              >
                Open in editor
              </Link>
              {maySend && <SendAgain template_id={message.template_id} destination={message.destination} />}
            </>
          )
        }
      >
        To {targetOf(message.destination)}
      </PageHead>
      <Card>
        <StateBadge state={message.status} />
        <p>{explanations[message.status]}</p>
        <Facts
          of={[
            [
              'Version',
              message.version_number === null ? 'none: blocks' : `version ${message.version_number}`,
            ],
            ['Test', message.test && 'yes'],
            ['Channel', message.channel],
            ['Message timestamp', message.message_ts],
            ['Reply to', message.thread_ts],
            ['Key', message.message_key],
            ['Visible to', message.visible_to],
            ['Accepted', <Time key="accepted" at={message.created_at} exact />],
            ['Last change', <Time key="changed" at={message.updated_at} exact />],
            ['Error', message.error],
            ['Why', message.error_details],
            ['Charge', message.credit_log_id],
            ['Request', message.request_id],
          ]}
        />
      </Card>
      {message.revisions.length > 1 && <Revisions revisions={message.revisions} />}
      <Attempts attempts={message.attempts} />
    </>
  );
};

/** One message: its outcome explained, its version, and each call to the platform. */
export const MessageScreen = ({ id }: { id: string }) => (
  <Answer asked={useRead(api.getMessage, { params: { id } }, { everyMs: 5_000 })}>
    {(message) => <Details message={message} />}
  </Answer>
);
