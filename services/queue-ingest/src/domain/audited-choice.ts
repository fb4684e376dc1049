import type { PolicyChoice } from './policy.ts';
import type { QueueRow } from './tables.ts';

/** What a choice changes of a queue, in the form of the audit log. A description is content: that it changed is recorded. */
export const auditedChoice = (row: QueueRow, choice: PolicyChoice): Record<string, unknown> => {
  const before: Readonly<Record<string, unknown>> = { ...row };
  return Object.fromEntries(
    Object.entries(choice)
      .filter(([name, to]) => before[name] !== to)
      .map(([name, to]) => [name, name === 'description' ? 'changed' : { from: before[name], to }]),
  );
};
