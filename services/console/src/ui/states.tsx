import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { ApiError } from '../api/request.ts';
import { Button } from './button.tsx';
import { refusalOf } from './reasons.ts';
import styles from './states.module.css';

/** Milliseconds after which waiting is shown; shorter waits would only flicker. */
const patienceMs = 150;

/** Has the place of what loads from the start, and shows lines of its shape after a moment. */
export const Loading = ({ label = 'Loading', lines = 4 }: { label?: string; lines?: number }) => {
  const [isShown, show] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => show(true), patienceMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={styles.loading} role="status" aria-label={label} data-loading>
      {Array.from({ length: lines }, (_, at) => (
        <span key={at.toString()} className={styles.line} data-shown={isShown} />
      ))}
    </div>
  );
};

/** Shown where a list has nothing: what would stand here, and one action. */
export const Empty = ({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) => (
  <div className={styles.empty}>
    <h2>{title}</h2>
    <div className={styles.text}>{children}</div>
    {action && <div className={styles.action}>{action}</div>}
  </div>
);

const explanationOf = (error: Error): { title: string; text: string } => {
  if (!(error instanceof ApiError))
    return { title: 'Something went wrong on this page', text: error.message };
  if (error.status === 0) return { title: 'No connection', text: error.message };
  if (error.status === 403) return { title: 'You may not see this', text: refusalOf(error) ?? error.message };
  if (error.status === 404) return { title: 'Not found', text: error.message };
  return { title: 'That did not work', text: error.message };
};

/** Where to go from what is not there: asking again would find as little. */
export const WayBack = createContext<ReactNode>(null);

/** Shown where something failed: what happened, what to do, the code and the id of the request. */
export const Failure = ({
  error,
  onRetry,
  isPage = false,
}: {
  error: Error;
  onRetry?: (() => void) | undefined;
  /** Nothing else is on the page, so that this is what it is called. */
  isPage?: boolean;
}) => {
  const { title, text } = explanationOf(error);
  const wayBack = useContext(WayBack);
  const Heading = isPage ? 'h1' : 'h2';
  const retry = onRetry && <Button onClick={onRetry}>Try again</Button>;
  const action = error instanceof ApiError && error.status === 404 && wayBack ? wayBack : retry;
  return (
    <div className={styles.failure} role="alert">
      <Heading className={styles.title}>{title}</Heading>
      <p className={styles.text}>{text}</p>
      {error instanceof ApiError && error.requestId && (
        <p className={styles.facts}>
          {error.code} · request {error.requestId}
        </p>
      )}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
};

/** Parts of the page are loaded when they are first shown; those of an earlier version are gone after an upgrade. */
const isMissingPart = (message: string): boolean =>
  /dynamically imported module|module script|preload CSS/i.test(message);

const reload = (): void => window.location.reload();

/** Milliseconds for which a page is new: what it lacks then, another reload would not bring. */
const newMs = 10_000;

/** Reloads the page with the network, or with the version that is there now: the browser asks for no part twice. */
const useReload = (isMissing: boolean): void =>
  useEffect(() => {
    if (!isMissing) return undefined;
    if (navigator.onLine && performance.now() > newMs) reload();
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, [isMissing]);

/** Shown in the place of a page of the console that cannot be shown. */
export const Broken = ({ error }: { error: unknown }) => {
  const message = error instanceof Error ? error.message : String(error);
  const isMissing = isMissingPart(message);
  useReload(isMissing);
  return (
    <div className={styles.failure} role="alert">
      <h1 className={styles.title}>
        {isMissing ? 'This page could not be loaded' : 'Something went wrong on this page'}
      </h1>
      <p className={styles.text}>
        {isMissing
          ? 'The network is away, or the console was upgraded. The page is reloaded when the network is back. What you have written is kept.'
          : message}
      </p>
      <div className={styles.action}>
        <Button onClick={reload}>Reload the page</Button>
      </div>
    </div>
  );
};

/** Shown above an answer of before, where the next one failed. */
export const NotUpToDate = ({ error, onRetry }: { error: Error; onRetry: () => void }) => (
  <div className={styles.notice} role="status">
    <p>
      {refusalOf(error) ?? error.message} What you see is as it was before.
      {error instanceof ApiError && error.requestId && (
        <span className={styles.facts}>
          {' '}
          {error.code} · request {error.requestId}
        </span>
      )}
    </p>
    <Button onClick={onRetry}>Try again</Button>
  </div>
);
