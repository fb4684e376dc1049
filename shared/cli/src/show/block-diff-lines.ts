import type { BlockDiff } from '@stanza/engine/diff';
import type { DiffLine } from './line-diff.ts';

/** Characters of a value that are shown. */
const shown = 200;

const valueText = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= shown ? text : `${text.slice(0, shown)}…`;
};

const nameOf = ({ type, block_id: id }: { type: string; block_id: string | null }): string =>
  id === null || id.startsWith('blk_') ? type : `${type} ${id}`;

/** The difference of two lists of blocks as lines: what is gone, what is new, what has changed in each block. */
export const blockDiffLines = ({ added, removed, moved, changed }: BlockDiff): DiffLine[] => [
  ...removed.map(
    (it): DiffLine => ({ kind: '-', line: `${it.pointer} ${nameOf(it)} ${valueText(it.block)}` }),
  ),
  ...added.map((it): DiffLine => ({ kind: '+', line: `${it.pointer} ${nameOf(it)} ${valueText(it.block)}` })),
  ...moved.map((it): DiffLine => ({ kind: ' ', line: `${it.from} → ${it.to} ${nameOf(it)}` })),
  ...changed.flatMap(({ changes }) =>
    changes.flatMap(({ op, pointer, from, to }): DiffLine[] => [
      ...(op === 'add' ? [] : [{ kind: '-', line: `${pointer} ${valueText(from)}` } as const]),
      ...(op === 'remove' ? [] : [{ kind: '+', line: `${pointer} ${valueText(to)}` } as const]),
    ]),
  ),
];
