/** What is given for the columns of a row; undefined leaves one as it is. */
export type Given<T> = { readonly [K in keyof T]?: T[K] | undefined };

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other));

/** The values given that differ from those of the row. Asked for a second time, a change is none. */
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

/** Content stays out of the audit log, which only says that it changed. */
const content: readonly string[] = ['description', 'fallback_text', 'data', 'steps'];

/** Changes as the audit log keeps them. */
export const auditedChanges = <T extends object>(row: T, changes: Partial<T>): Record<string, unknown> => {
  const audited: Record<string, unknown> = {};
  for (const key in changes) {
    audited[key] = content.includes(key) ? 'changed' : { from: row[key], to: changes[key] };
  }
  return audited;
};
