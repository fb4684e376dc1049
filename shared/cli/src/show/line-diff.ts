/** A line of two texts: in both, in the first alone, in the second alone. */
export interface DiffLine {
  readonly kind: ' ' | '-' | '+';
  readonly line: string;
}

/** Longer texts are compared by their ends alone, so that the work stays bounded. */
const longest = 2_000;

const lengthsOf = (before: readonly string[], after: readonly string[]): Uint16Array[] => {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let at = before.length - 1; at >= 0; at -= 1)
    for (let beside = after.length - 1; beside >= 0; beside -= 1) {
      const row = lengths[at];
      if (!row) continue;
      row[beside] =
        before[at] === after[beside]
          ? (lengths[at + 1]?.[beside + 1] ?? 0) + 1
          : Math.max(lengths[at + 1]?.[beside] ?? 0, row[beside + 1] ?? 0);
    }
  return lengths;
};

const middle = (before: readonly string[], after: readonly string[]): DiffLine[] => {
  const all = (kind: DiffLine['kind'], lines: readonly string[]) => lines.map((line) => ({ kind, line }));
  if (before.length > longest || after.length > longest) return [...all('-', before), ...all('+', after)];
  const lengths = lengthsOf(before, after);
  const diff: DiffLine[] = [];
  let [at, beside] = [0, 0];
  while (at < before.length && beside < after.length) {
    const [old, now] = [before[at] ?? '', after[beside] ?? ''];
    if (old === now) {
      diff.push({ kind: ' ', line: now });
      at += 1;
      beside += 1;
    } else if ((lengths[at + 1]?.[beside] ?? 0) >= (lengths[at]?.[beside + 1] ?? 0)) {
      diff.push({ kind: '-', line: old });
      at += 1;
    } else {
      diff.push({ kind: '+', line: now });
      beside += 1;
    }
  }
  return [...diff, ...all('-', before.slice(at)), ...all('+', after.slice(beside))];
};

/** The lines of two texts, those that they share once. */
export const lineDiff = (before: readonly string[], after: readonly string[]): DiffLine[] => {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const shared = (lines: readonly string[]) => lines.map((line): DiffLine => ({ kind: ' ', line }));
  return [
    ...shared(before.slice(0, start)),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...shared(after.slice(after.length - end)),
  ];
};
