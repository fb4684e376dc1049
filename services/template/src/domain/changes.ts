/** The new values of a row's columns; undefined leaves one unchanged. */
export type Given<T> = { readonly [K in keyof T]?: T[K] | undefined };

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other));

/** The given values that differ from those of the row. A repeated change has none. */
export const changesOf = <T extends object>(row: T, given: Given<T>): Partial<T> => {
  const changes: Partial<T> = {};
  for (const key in given) {
    const value = given[key];
    if (value !== undefined && !isSame(value, row[key])) changes[key] = value;
  }
  return changes;
};

/** Whether nothing changes. */
export const isEmpty = (changes: object): boolean => Object.keys(changes).length === 0;

/** The audit log records that content changed, without the content. */
const content: readonly string[] = ['description', 'fallback_text', 'data', 'steps'];

/** Changes in the form of the audit log. */
export const auditedChanges = <T extends object>(row: T, changes: Partial<T>): Record<string, unknown> => {
  const audited: Record<string, unknown> = {};
  for (const key in changes) {
    audited[key] = content.includes(key) ? 'changed' : { from: row[key], to: changes[key] };
  }
  return audited;
};
