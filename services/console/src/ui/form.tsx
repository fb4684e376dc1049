import type { FormEvent, ReactNode } from 'react';
import { ApiError } from '../api/request.ts';
import { isObject, readJson } from '../json.ts';
import styles from './form.module.css';
import { knownReason } from './reasons.ts';
import { Sentence } from './sentence.tsx';

/** A form that stays on the page. */
export const Form = ({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) => (
  <form
    className={styles.form}
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

/** Boxes to tick that belong together. */
export const Choices = ({ legend, children }: { legend: string; children: ReactNode }) => (
  <fieldset className={styles.choices}>
    <legend>{legend}</legend>
    {children}
  </fieldset>
);

const issuesOf = (error: ApiError): string[] => {
  const { issues } = error.body;
  if (!Array.isArray(issues)) return [];
  return issues.flatMap((issue: unknown) => {
    if (typeof issue !== 'object' || issue === null) return [];
    const { path, message } = { path: '', message: '', ...issue };
    return [`${Array.isArray(path) ? path.join('.') : String(path)} ${String(message)}`.trim()];
  });
};

/** The problems of blocks that were refused, each a sentence. */
const problemsOf = ({ body }: ApiError): string[] => {
  const read = readJson(typeof body.error_details === 'string' ? body.error_details : '[]');
  if (read.problem !== undefined || !Array.isArray(read.value)) return [];
  return read.value.flatMap((it: unknown) =>
    isObject(it) && typeof it.message === 'string' ? [it.message] : [],
  );
};

/** Why what was asked for did not happen, below a form; nothing where all is well. */
export const Problem = ({ error }: { error: Error | null }) => {
  if (error === null) return null;
  const issues = error instanceof ApiError ? [...new Set([...issuesOf(error), ...problemsOf(error)])] : [];
  const known = error instanceof ApiError ? knownReason(error.body.error_details) : undefined;
  const why = known !== undefined && error.message.toLowerCase().includes(known) ? undefined : known;
  return (
    <div className={styles.problem} role="alert">
      <p>
        <Sentence>{error.message}</Sentence>
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
