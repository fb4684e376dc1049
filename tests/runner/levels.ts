/** The levels that run where none is named, in the order of the report; a test file's name ends in its level. */
const usualLevels = ['unit', 'int', 'contract', 'tenancy', 'e2e'] as const;

/** What takes minutes or installs packages of its own, and runs by its name alone. */
export const longLevels = [
  'browser',
  'conformance',
  'faults',
  'rollout',
  'images',
  'cluster',
  'alerts',
] as const;

/**
 * The files of the long levels that stand for the others where a run has to be short: a process of each kind that dies
 * under load, a keyed request that loses its answer, a rolling restart, the previous version next to this one, every
 * screen of the console in both themes, and a template from its first block to its message.
 */
export const shortStories = [
  'tests/browser/console/console.browser',
  'tests/browser/console/journey.browser',
  'tests/faults/crash.faults',
  'tests/faults/delivery-kill.faults',
  'tests/faults/idempotency-crash.faults',
  'tests/faults/queue-kill.faults',
  'tests/rollout/rolling-restart.rollout',
  'tests/rollout/upgrade.rollout',
] as const;

/** The levels of tests that jest runs. */
export const jestLevels = [...usualLevels, ...longLevels] as const;

/** A level of tests. */
export type JestLevel = (typeof jestLevels)[number];

/** Everything that `npm test` can check. */
export const allChecks = ['types', 'lint', ...jestLevels] as const;

/** Everything that it checks where nothing is named. */
export const usualChecks: readonly Check[] = ['types', 'lint', ...usualLevels];

/** Something `npm test` checks. */
export type Check = (typeof allChecks)[number];

/** Levels that need Postgres and NATS; the services themselves run only for those below. */
export const databaseLevels: readonly JestLevel[] = [
  'int',
  'contract',
  'tenancy',
  'e2e',
  'conformance',
  'browser',
  'faults',
  'rollout',
];

/** Levels that talk to running services. */
export const serviceLevels: readonly JestLevel[] = ['contract', 'tenancy', 'e2e', 'conformance', 'browser'];

const isCheck = (word: string): word is Check => allChecks.some((it) => it === word);

/** The level of a test file; undefined for a file that is none. */
export const levelOf = (file: string): JestLevel | undefined =>
  jestLevels.find((level) => file.endsWith(`.${level}.test.ts`));

/** What the words after `npm test --` choose. */
export interface Selection {
  checks: readonly Check[];
  /** Parts of file names; without any, all files of the levels. */
  paths: readonly string[];
}

/**
 * Splits the words after `npm test --` into what to check (the usual, when none is named) and parts of file names. A
 * short run is that of the long levels' {@link shortStories}.
 */
export const readSelection = (words: readonly string[], isShort = false): Selection => {
  if (isShort) return { checks: ['browser', 'faults', 'rollout'], paths: shortStories };
  const checks = words.filter(isCheck);
  const paths = words.filter((word) => !isCheck(word));
  return { checks: checks.length > 0 ? checks : paths.length > 0 ? usualLevels : usualChecks, paths };
};
