import { useMemo } from 'react';
import type { Evaluated } from '../evaluation/evaluate.ts';
import { useEvaluation } from '../evaluation/use-evaluation.ts';
import { PreviewedMessage, type Sender } from '../preview.tsx';
import { BlockChanges } from './block-changes.tsx';
import styles from './versions.module.css';

/** One side of a comparison. */
export interface Side {
  readonly title: string;
  readonly blocks: readonly unknown[];
}

const Drawn = ({ side, given, sender }: { side: Side; given: Omit<Evaluated, 'blocks'>; sender: Sender }) => {
  const input = useMemo(() => ({ ...given, blocks: side.blocks }), [given, side.blocks]);
  const { evaluation, error } = useEvaluation(input);
  const problem =
    error?.message ?? (evaluation && !evaluation.output ? evaluation.findings[0]?.message : undefined);
  return (
    <figure className={styles.side}>
      <figcaption>{side.title}</figcaption>
      {evaluation?.output && <PreviewedMessage output={evaluation.output} sender={sender} />}
      {problem && <p className={styles.none}>{problem}</p>}
    </figure>
  );
};

/** Two states of a template: what is different, and both drawn with the data of the editor. */
export const BeforeAfter = ({
  before,
  after,
  given,
  sender,
}: {
  before: Side | undefined;
  after: Side;
  given: Omit<Evaluated, 'blocks'>;
  sender: Sender;
}) => (
  <div className={styles.body}>
    {before !== undefined && <BlockChanges before={before.blocks} after={after.blocks} />}
    <div className={styles.sides}>
      {before !== undefined && <Drawn side={before} given={given} sender={sender} />}
      <Drawn side={after} given={given} sender={sender} />
    </div>
  </div>
);
