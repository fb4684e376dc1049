import { type ReactNode, useState } from 'react';
import { api } from '../../api/operations.ts';
import { useActing } from '../../api/session-context.ts';
import { useRead } from '../../api/use-api.ts';
import { useMay } from '../../shell/allowed.tsx';
import { ScreenLink } from '../../shell/screen-link.tsx';
import { Button } from '../../ui/button.tsx';
import styles from './templates.module.css';

const one = { query: { limit: 1 } };
const week = 7 * 86_400_000;

const Line = ({ isDone, children }: { isDone: boolean; children: ReactNode }) => (
  <li data-done={isDone}>
    <span role="img" aria-label={isDone ? 'done' : 'to do'}>
      {isDone ? '✓' : '○'}
    </span>
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
  const enabled = maySend && mayRead && !isHidden;
  const mayConnect = useMay('connections:write');
  const tests = useRead(api.listMessages, { query: { limit: 1, test: 'true' } }, { enabled });
  const sends = useRead(api.listMessages, { query: { limit: 1, test: 'false' } }, { enabled });
  const schedules = useRead(api.listSchedules, one, { enabled });
  const connection = useRead(api.getConnection, {}, { enabled: enabled && mayConnect });
  const isRead = [tests, sends, schedules].every(({ data }) => data !== undefined);
  if (!enabled || !isRead || templates === undefined) return null;
  const isConnected = connection.data?.state === 'active';
  const done = [
    ...(mayConnect ? [isConnected] : []),
    templates > 0,
    (tests.data?.pagination.total ?? 0) > 0,
    (sends.data?.pagination.total ?? 0) > 0,
    (schedules.data?.pagination.total ?? 0) > 0,
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

/** What asks for somebody: failures of the last seven days, and what was switched off. */
export const Attention = () => {
  const [since] = useState(() => new Date(Date.now() - week).toISOString());
  const mayUse = useMay('usage:read');
  const mayConnect = useMay('connections:write');
  const mayReach = useMay('destinations:read');
  const of = (status: string) => ({ query: { limit: 1, status, from: since } });
  const failed = useRead(api.listMessages, of('failed'), { enabled: mayUse });
  const unknown = useRead(api.listMessages, of('unknown'), { enabled: mayUse });
  const connection = useRead(api.getConnection, {}, { enabled: mayConnect });
  const destinations = useRead(api.listDestinations, { query: { limit: 100 } }, { enabled: mayReach });
  const off = destinations.data?.data.filter(({ disabled_at }) => disabled_at !== undefined) ?? [];
  const failures = failed.data?.pagination.total ?? 0;
  const lost = unknown.data?.pagination.total ?? 0;
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
    </section>
  );
};
