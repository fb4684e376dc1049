import { type ReactNode, useState } from 'react';
import { api } from '../../api/operations.ts';
import { useActing } from '../../api/session-context.ts';
import { useRead } from '../../api/use-api.ts';
import { useMay } from '../../shell/allowed.tsx';
import { ScreenLink } from '../../shell/screen-link.tsx';
import { Button } from '../../ui/button.tsx';
import styles from './templates.module.css';

const one = { query: { limit: 1 } };
/** One question answers both parts: whether something was tried and sent, and what has failed of late. */
const newest = { query: { limit: 100 } };
const week = 7 * 86_400_000;

const Line = ({ isDone, children }: { isDone: boolean; children: ReactNode }) => (
  <li data-done={isDone}>
    <span className={styles.tick} role="img" aria-label={isDone ? 'done' : 'to do'} />
    <span>{children}</span>
  </li>
);

/** What the first hour is for; each line is ticked by what is there. Nothing is left of it when all are. */
export const FirstSteps = ({ templates }: { templates: number | undefined }) => {
  const { place } = useActing();
  const kept = `stanza.first-steps.${place.organization}.${place.environment}`;
  const [isHidden, hide] = useState(() => localStorage.getItem(kept) !== null);
  const maySend = useMay('messages:create');
  const mayRead = useMay('usage:read');
  // It asks once the list is there, which is what people wait for.
  const enabled = maySend && mayRead && !isHidden && templates !== undefined;
  const mayConnect = useMay('connections:write');
  const messages = useRead(api.listMessages, newest, { enabled });
  const schedules = useRead(api.listSchedules, one, { enabled });
  const connection = useRead(api.getConnection, {}, { enabled: enabled && mayConnect });
  if (!enabled || messages.data === undefined || schedules.data === undefined) return null;
  const isConnected = connection.data?.state === 'active';
  const done = [
    ...(mayConnect ? [isConnected] : []),
    templates > 0,
    messages.data.data.some(({ test }) => test),
    messages.data.data.some(({ test }) => !test),
    schedules.data.pagination.total > 0,
  ];
  const [written = false, tried = false, sent = false, scheduled = false] = done.slice(-4);
  const count = done.filter(Boolean).length;
  if (count === done.length) return null;
  const close = (): void => {
    hide(true);
    try {
      localStorage.setItem(kept, 'hidden');
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
    }
  };
  return (
    <section className={styles.steps} aria-label="First steps">
      <div className={styles.stepsHead}>
        <h2>First steps</h2>
        <p>
          {count} of {done.length}
        </p>
        <Button look="quiet" onClick={close}>
          Hide
        </Button>
      </div>
      <ol>
        {mayConnect && (
          <Line isDone={isConnected}>
            <ScreenLink screen="connections">Connect a workspace</ScreenLink>, to which messages go
          </Line>
        )}
        <Line isDone={written}>Begin a template from the gallery, blank, or from JSON</Line>
        <Line isDone={tried}>Send a test of it from the editor</Line>
        <Line isDone={sent}>Make it live, and send it with “Send…”</Line>
        <Line isDone={scheduled}>
          <ScreenLink screen="schedules">Schedule it</ScreenLink>, as for every weekday at 9:00
        </Line>
      </ol>
    </section>
  );
};

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** What needs attention: failures of the last seven days among the newest hundred, and what was switched off. */
export const Attention = () => {
  const [since] = useState(() => new Date(Date.now() - week).toISOString());
  const mayUse = useMay('usage:read');
  const mayConnect = useMay('connections:write');
  const mayReach = useMay('destinations:read');
  const messages = useRead(api.listMessages, newest, { enabled: mayUse });
  const connection = useRead(api.getConnection, {}, { enabled: mayConnect });
  const destinations = useRead(api.listDestinations, { query: { limit: 100 } }, { enabled: mayReach });
  const off = destinations.data?.data.filter(({ disabled_at }) => disabled_at !== undefined) ?? [];
  const late = messages.data?.data.filter(({ created_at }) => created_at > since) ?? [];
  const failures = late.filter(({ status }) => status === 'failed').length;
  const lost = late.filter(({ status }) => status === 'unknown').length;
  const isKnown = messages.data !== undefined;
  const isRevoked = connection.data !== undefined && connection.data.state !== 'active';
  const parts: readonly (readonly [key: string, said: ReactNode])[] = [
    ...(isRevoked
      ? [
          [
            'connection',
            <>
              The <ScreenLink screen="connections">connection to the workspace</ScreenLink> does not work any
              more.
            </>,
          ] as const,
        ]
      : []),
    ...[
      ['failed', failures, 'failed'] as const,
      ['unknown', lost, 'may or may not have been posted'] as const,
    ]
      .filter(([, count]) => count > 0)
      .map(
        ([status, count, what]) =>
          [
            status,
            <>
              <ScreenLink screen="messages" search={{ status }}>
                {counted(count, 'message')}
              </ScreenLink>{' '}
              of the last seven days {what}.
            </>,
          ] as const,
      ),
    ...off.map(
      ({ id, name }) =>
        [
          id,
          <>
            <ScreenLink screen="destinations" item={id}>
              {name}
            </ScreenLink>{' '}
            was switched off after a row of failures.
          </>,
        ] as const,
    ),
  ];
  // The line has its place from the start, so that nothing moves when it is known.
  return (
    <section className={styles.attention} aria-label="Needs attention">
      {parts.map(([key, said]) => (
        <p key={key}>{said}</p>
      ))}
      {isKnown && parts.length === 0 && <p data-calm>Nothing needs attention.</p>}
    </section>
  );
};
