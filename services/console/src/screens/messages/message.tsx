import type { Message, MessageDetails } from '@stanza/contracts';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { api } from '../../api/operations.ts';
import { useSay } from '../../api/say.ts';
import { useActing } from '../../api/session-context.ts';
import { useRead } from '../../api/use-api.ts';
import { recipientOf } from '../../editor/send/recipients.ts';
import { useNamed } from '../../editor/send/use-named.ts';
import { Allowed, useMay } from '../../shell/allowed.tsx';
import { ScreenLink } from '../../shell/screen-link.tsx';
import { StateBadge } from '../../ui/badge.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Answer, withNames } from '../../ui/listing.tsx';
import { Card, PageHead } from '../../ui/page.tsx';
import { reasonOf } from '../../ui/reasons.ts';
import { Why } from '../../ui/sentence.tsx';
import { Time } from '../../ui/time.tsx';
import { useTemplates } from '../template-names.ts';
import { ContentOnItsWay } from './content-on-its-way.tsx';
import { Attempts, RequestedBy, Revisions } from './history.tsx';
import { MessageActions } from './message-actions.tsx';

const MessageContent = lazy(async () => ({ default: (await import('./content.tsx')).MessageContent }));

const explanations: Readonly<Record<Message['status'], string>> = {
  accepted: 'The message is accepted, and is posted in a moment.',
  posting: 'The message is on its way to the chat platform.',
  sent: 'The chat platform has accepted the message.',
  failed: 'The message was not posted, and costs nothing.',
  deleted: 'The message was taken out of its channel.',
  unknown:
    "The chat platform's answer was lost, so it may or may not have posted the message. It is never posted a second time by itself. Look into the channel: when the message is missing, send it again; when it is there, nothing is to be done.",
};

const Outcome = ({ message }: { message: MessageDetails }) => (
  <Card>
    <StateBadge state={message.status} />
    <p>{explanations[message.status]}</p>
    <Facts
      of={[
        [
          'Version',
          message.version_number === null
            ? 'none, as it was a test of blocks'
            : `version ${message.version_number}`,
        ],
        ['Test', message.test && 'yes'],
        ['By', message.revisions[0] && <RequestedBy key="by" actor={message.revisions[0].actor} />],
        ['Key', message.message_key],
        ['Visible to', message.visible_to],
        ['Requested', <Time key="accepted" at={message.created_at} exact="seconds" />],
        ['Last change', <Time key="changed" at={message.updated_at} exact="seconds" />],
        ['Error', message.error && reasonOf(message.error)],
        ['Why', message.error_details && <Why key="why" details={message.error_details} />],
      ]}
    />
    <details>
      <summary>Ids, for programs and support</summary>
      <Facts
        of={[
          ['Message', <code key="message">{message.id}</code>],
          ['Channel', message.channel && <code key="channel">{message.channel}</code>],
          ['Message timestamp', message.message_ts],
          ['Reply to', message.thread_ts],
          ['Charge', message.credit_log_id && <code key="charge">{message.credit_log_id}</code>],
          ['Request', <code key="request">{message.request_id}</code>],
        ]}
      />
    </details>
  </Card>
);

const Details = ({ message }: { message: MessageDetails }) => {
  const { place } = useActing();
  const { nameOf } = useTemplates();
  const maySend = useMay('messages:create');
  const mayRead = useMay('templates:read');
  const maySeeUse = useMay('interactions:read');
  const say = useSay();
  const { template_id, status } = message;
  const to = useNamed(recipientOf(message.destination), maySend)?.label ?? '–';
  const input = { params: { id: template_id ?? '' } };
  const { data: template, isLoading } = useRead(api.getTemplate, input, {
    enabled: mayRead && template_id !== null,
  });
  return (
    <>
      <PageHead
        title={template_id === null ? 'Blocks' : nameOf(template_id)}
        above={<ScreenLink screen="messages">Messages</ScreenLink>}
        actions={
          <>
            {template_id !== null && (
              <Link
                to="/$organization/$environment/templates/$template"
                params={{ ...place, template: template_id }}
              >
                Open in editor
              </Link>
            )}
            <Allowed scope="messages:create" to="to send it again, to change or to delete it">
              <MessageActions
                message={message}
                template={template}
                isReading={isLoading}
                to={to}
                onDone={say}
              />
            </Allowed>
          </>
        }
      >
        To {to}
        {message.permalink && (
          <>
            {' · '}
            <a href={message.permalink} target="_blank" rel="noreferrer">
              Open in the chat
            </a>
          </>
        )}
        {maySeeUse && status !== 'failed' && (
          <>
            {' · '}
            <ScreenLink screen="events" search={{ message: message.id }}>
              What people did with it
            </ScreenLink>
          </>
        )}
      </PageHead>
      <Outcome message={message} />
      {template === undefined && mayRead && template_id !== null && status !== 'deleted' && (
        <ContentOnItsWay />
      )}
      {template && status !== 'deleted' && (
        <Suspense fallback={<ContentOnItsWay />}>
          <MessageContent message={message} template={template} />
        </Suspense>
      )}
      {message.revisions.length > 1 && <Revisions revisions={message.revisions} />}
      <Attempts attempts={message.attempts} />
    </>
  );
};

/** One message: drawn, its outcome explained, its revisions, and each call to the platform. */
export const MessageScreen = ({ id }: { id: string }) => {
  const read = useRead(api.getMessage, { params: { id } }, { everyMs: 5_000 });
  const { isLoading } = useTemplates();
  return (
    <Answer isPage read={withNames(read, isLoading)}>
      {(message) => <Details message={message} />}
    </Answer>
  );
};
