import { useId, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Sentence } from '../ui/sentence.tsx';
import { counted } from '../ui/words.ts';
import { type Row, rowAround, titleOf } from './document/rows.ts';
import styles from './editor.module.css';
import { type Finding, keyOf, type Remedy } from './evaluation/findings.ts';

const placeText = (rows: readonly Row[], pointer: string): string => {
  if (pointer === '' || pointer === '/blocks') return 'Whole template';
  if (pointer === '/fallback_text') return 'Notification text';
  const row = rowAround(rows, pointer);
  if (row === undefined) return pointer;
  const title = titleOf(row.value);
  // Set apart by signs, since what is written from right to left turns what stands around it.
  return `${title} \u2068${row.summary.slice(0, 60 - title.length)}\u2069`;
};

const countText = (findings: readonly Finding[]): string => {
  const problems = findings.filter(({ kind }) => kind === 'problem').length;
  const warnings = findings.length - problems;
  return [problems > 0 && counted(problems, 'problem'), warnings > 0 && counted(warnings, 'warning')]
    .filter(Boolean)
    .join(', ');
};

/** How many problems there are, in sight wherever the page stands, and the way from one to the next. */
export const ProblemsBar = ({
  findings,
  onGo,
}: {
  findings: readonly Finding[];
  onGo: (pointer: string) => void;
}) => {
  const [place, setPlace] = useState(-1);
  if (findings.length === 0) return null;
  const at = Math.min(place, findings.length - 1);
  const step = (by: 1 | -1): void => {
    const next = at === -1 ? 0 : (at + by + findings.length) % findings.length;
    setPlace(next);
    const finding = findings[next];
    if (finding) onGo(finding.pointer);
  };
  const hasProblem = findings.some(({ kind }) => kind === 'problem');
  return (
    <div className={styles.problemsBar} data-kind={hasProblem ? 'problem' : 'warning'}>
      <strong>{countText(findings)}</strong>
      <span>
        <Sentence>{findings[at]?.message ?? ''}</Sentence>
      </span>
      <Button onClick={() => step(-1)}>Previous problem</Button>
      <Button onClick={() => step(1)}>Next problem</Button>
    </div>
  );
};

/** What is wrong: each a sentence that leads to its place, with a remedy where one is known. */
export const Problems = ({
  findings,
  rows,
  onGo,
  onMend,
}: {
  findings: readonly Finding[];
  rows: readonly Row[];
  onGo: (pointer: string) => void;
  onMend: (remedy: Remedy) => void;
}) => {
  const title = useId();
  return (
    <section className={styles.region} aria-labelledby={title}>
      <div className={styles.regionHead}>
        <h2 id={title}>Problems</h2>
        <p className={styles.count} role="status">
          {findings.length === 0 ? 'None' : countText(findings)}
        </p>
      </div>
      <ul className={styles.findings}>
        {findings.map((finding) => (
          <li key={keyOf(finding)} data-kind={finding.kind}>
            <button type="button" className={styles.finding} onClick={() => onGo(finding.pointer)}>
              <span className={styles.kind}>{finding.kind}</span>
              <span>
                <Sentence>{`${finding.message} ${finding.hint ?? ''}`}</Sentence>
              </span>
              <span className={styles.where}>
                {placeText(rows, finding.pointer)}
                {finding.limit && ` · ${finding.limit}`}
              </span>
            </button>
            {finding.remedy && (
              <Button onClick={() => finding.remedy && onMend(finding.remedy)}>
                Change to {finding.remedy.name}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
};
