import type { FormEvent, KeyboardEvent, ReactNode } from 'react';
import { ApiError } from '../api/request.ts';
import styles from './form.module.css';
import { knownReason, problemsIn, refusalOf } from './reasons.ts';
import { Sentence } from './sentence.tsx';

/** A key that is held down fills in nothing, and answers no question that the first press has opened. */
const isHeldEnter = ({ key, repeat, target }: KeyboardEvent): boolean =>
  key === 'Enter' && repeat && !(target instanceof HTMLTextAreaElement);

/** A form that stays on the page. */
export const Form = ({
  onSubmit,
  onChange,
  children,
}: {
  onSubmit: () => void;
  /** Hears of each change of a field in it. */
  onChange?: () => void;
  children: ReactNode;
}) => (
  <form
    className={styles.form}
    onChange={onChange}
    onKeyDown={(event) => isHeldEnter(event) && event.preventDefault()}
    onSubmit={(event: FormEvent) => {
      event.preventDefault();
      onSubmit();
    }}
  >
    {children}
  </form>
);

/** Fields that belong beside each other. */
export const Pair = ({ children }: { children: ReactNode }) => <div className={styles.pair}>{children}</div>;

const pathIn = (steps: readonly unknown[]): string =>
  steps.reduce<string>(
    (path, step) => (typeof step === 'number' ? `${path}[${step}]` : `${path && `${path}.`}${String(step)}`),
    '',
  );

const issuesOf = (error: ApiError): string[] => {
  const { issues } = error.body;
  if (!Array.isArray(issues)) return [];
  return issues.flatMap((issue: unknown) => {
    if (typeof issue !== 'object' || issue === null) return [];
    const { path, message } = { path: '', message: '', ...issue };
    const at = Array.isArray(path) ? pathIn(path) : String(path);
    return [at === '' ? String(message) : `\`${at}\` ${String(message)}`];
  });
};

/** What the API says to programs, to people: what they can do about it is in the console. */
const toPeople = new Map([
  [
    'activation_refused',
    'The policy of the organization asks for another person to make it live. Leave it a draft, and propose it in its editor: somebody else finds it on Templates.',
  ],
  [
    'destination_test_host_not_enabled',
    'This host takes no tests yet: whoever runs the installation adds it to STANZA_DESTINATION_TEST_HOSTS. Deliveries go there all the same.',
  ],
]);

const sentenceOf = (error: Error): string =>
  refusalOf(error) ?? (error instanceof ApiError ? toPeople.get(error.code) : undefined) ?? error.message;

/** The session has ended in the middle of a form, which waits for another one. */
const SignInElsewhere = () => (
  <>
    Your session has ended. What you have entered stays here:{' '}
    <a href="/console/" target="_blank" rel="noreferrer">
      sign in in another tab
    </a>
    , and try again.
  </>
);

/** Why what was asked for did not happen, below a form; nothing where all is well. */
export const Problem = ({ error }: { error: Error | null }) => {
  if (error === null) return null;
  const issues =
    error instanceof ApiError
      ? [...new Set([...issuesOf(error), ...problemsIn(error.body.error_details)])]
      : [];
  const known = error instanceof ApiError ? knownReason(error.body.error_details) : undefined;
  const why = known !== undefined && error.message.toLowerCase().includes(known) ? undefined : known;
  return (
    <div className={styles.problem} role="alert">
      <p>
        {error instanceof ApiError && error.status === 401 ? (
          <SignInElsewhere />
        ) : (
          <Sentence>{sentenceOf(error)}</Sentence>
        )}
        {why && ` ${why.charAt(0).toUpperCase()}${why.slice(1)}.`}
      </p>
      {issues.length > 0 && (
        <ul>
          {issues.map((issue) => (
            <li key={issue}>
              <Sentence>{issue}</Sentence>
            </li>
          ))}
        </ul>
      )}
      {error instanceof ApiError && error.requestId && (
        <p className={styles.facts}>
          {error.code} · request {error.requestId}
        </p>
      )}
    </div>
  );
};
