import { useId } from 'react';
import { Button } from '../ui/button.tsx';
import { type Row, rowAround, titleOf } from './document/rows.ts';
import styles from './editor.module.css';
import { type Finding, keyOf, type Remedy } from './evaluation/findings.ts';

const placeText = (rows: readonly Row[], pointer: string): string => {
  if (pointer === '' || pointer === '/blocks') return 'Whole template';
  if (pointer === '/fallback_text') return 'Notification text';
  const row = rowAround(rows, pointer);
  return row === undefined ? pointer : `${titleOf(row.value)} ${row.summary}`.slice(0, 60);
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
  const problems = findings.filter(({ kind }) => kind === 'problem').length;
  return (
    <section className={styles.region} aria-labelledby={title}>
      <div className={styles.regionHead}>
        <h2 id={title}>Problems</h2>
        <p className={styles.count} role="status">
          {findings.length === 0
            ? 'None'
            : `${problems} ${problems === 1 ? 'problem' : 'problems'}, ${findings.length - problems} ${findings.length - problems === 1 ? 'warning' : 'warnings'}`}
        </p>
      </div>
      <ul className={styles.findings}>
        {findings.map((finding) => (
          <li key={keyOf(finding)} data-kind={finding.kind}>
            <button type="button" className={styles.finding} onClick={() => onGo(finding.pointer)}>
              <span className={styles.kind}>{finding.kind}</span>
              <span>
                {finding.message} {finding.hint}
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
