import { splitList, statementsOf } from './statements.ts';

/** What a migration would run. */
export interface RecordedMigration {
  name: string;
  /** False where it asked to run outside of a transaction, as `create index concurrently` must. */
  inTransaction: boolean;
  statements: readonly string[];
}

/** What is wrong with a migration. */
export interface Breach {
  migration: string;
  /** What of the previous version it would break, or whom it would keep waiting. */
  rule: Rule;
  statement: string;
}

/** Why a form is forbidden, by its short name. */
export const rules = {
  takes: 'the previous version still uses what is taken away or renamed',
  retypes: 'the previous version reads and writes the old type, and the table is rewritten under a lock',
  demands: 'the previous version writes rows without what is now demanded',
  rewrites: 'the whole table is locked while it is rewritten or checked',
  locks: 'writers wait until the index is built; build it concurrently, in a migration of its own',
  touches: 'rows are changed in bulk under locks; a job fills in, a few at a time',
  validates:
    'the lock under which the constraint was added is held while all rows are checked; check them in a migration of its own',
  concurrent:
    'an index built concurrently stands alone, outside of a transaction, after a drop of its invalid self',
} as const;

/** The name of a rule. */
export type Rule = keyof typeof rules;

type Finding = Rule | undefined;

const objects =
  'table|column|view|materialized view|function|procedure|type|domain|schema|sequence|index|trigger';
const identifier = '"?([\\w.]+)"?';

/** Values that differ from row to row are written into each row when a column is added with them as default. */
const rowByRow = /\bdefault\b.*\b(gen_random_uuid|uuidv[47]|random|clock_timestamp|timeofday|nextval)\b/;
const generated = /\bgenerated always as\b.*\bstored\b|\bas identity\b|^\S+ (small|big)?serial\b/;

const ofNewColumn = (definition: string): Finding => {
  if (rowByRow.test(definition) || generated.test(definition)) return 'rewrites';
  if (/\b(unique|primary key)\b/.test(definition)) return 'demands';
  const mustBeGiven = /\bnot null\b/.test(definition) && !/\bdefault\b/.test(definition);
  if (mustBeGiven) return 'demands';
  return /\b(check|references)\b/.test(definition) ? 'rewrites' : undefined;
};

const ofNewConstraint = (definition: string): Finding => {
  if (/\b(unique|primary key|exclude)\b/.test(definition)) return 'demands';
  return /\bnot valid$/.test(definition) ? undefined : 'rewrites';
};

/** One of the actions of an `alter table`. */
const ofAction = (action: string): Finding => {
  if (/^(drop|rename)\b/.test(action)) return 'takes';
  if (/^alter (column )?\S+ (set data )?type\b/.test(action)) return 'retypes';
  if (/^alter (column )?\S+ set not null\b/.test(action)) return 'demands';
  if (/^alter (column )?\S+ drop (default|identity|expression)\b/.test(action)) return 'demands';
  if (/^(set schema|owner to)\b/.test(action)) return 'takes';
  if (/^set (unlogged|logged|tablespace|access method|with)\b/.test(action)) return 'rewrites';
  if (/^add (constraint|check|foreign key|unique|primary key|exclude)\b/.test(action))
    return ofNewConstraint(action);
  const column = /^add (?:column )?(?:if not exists )?(.*)$/.exec(action)?.[1];
  return column === undefined ? undefined : ofNewColumn(column);
};

const tableOf = (statement: string, before: string): string | undefined =>
  new RegExp(`${before} ${identifier}`).exec(statement)?.[1];

/** A statement against a table that was there before this migration. */
const ofExistingTable = (statement: string): Finding => {
  const altered = /^alter table (?:if exists )?(?:only )?\S+ (.*)$/.exec(statement)?.[1];
  if (altered !== undefined)
    return splitList(altered)
      .map(ofAction)
      .find((it) => it !== undefined);
  if (/^create unique index\b/.test(statement)) return 'demands';
  if (/^create index (?!concurrently\b)/.test(statement)) return 'locks';
  if (/^create (or replace )?(constraint )?(trigger|rule|policy)\b/.test(statement)) return 'demands';
  if (/^(update|delete|insert|merge)\b/.test(statement)) return 'touches';
  return undefined;
};

const subjectOf = (statement: string): string | undefined =>
  tableOf(statement, '^alter table(?: if exists)?(?: only)?') ??
  tableOf(statement, '^create (?:unique )?index.*? on(?: only)?') ??
  tableOf(statement, '^create (?:or replace )?(?:constraint )?(?:trigger|rule|policy).*? on') ??
  tableOf(statement, '^(?:update(?: only)?|delete from|insert into|merge into)');

/** What is forbidden whichever table it is about. */
const ofAny = (statement: string): Finding => {
  if (new RegExp(`^drop (${objects})\\b`).test(statement)) return 'takes';
  if (/^alter (index|view|function|type|schema|sequence|domain) .*\brename\b/.test(statement)) return 'takes';
  if (/^create or replace\b/.test(statement) || /^revoke\b/.test(statement)) return 'takes';
  if (/^truncate\b/.test(statement)) return 'touches';
  if (/^(lock|cluster|vacuum|reindex)\b/.test(statement)) return 'rewrites';
  return undefined;
};

/** `validate constraint` in the transaction that adds the constraint. */
const ofValidation = (statement: string, all: readonly string[]): Finding => {
  const name = tableOf(statement, '^alter table .*?\\bvalidate constraint');
  if (name === undefined) return undefined;
  return all.some((it) => tableOf(it, '\\badd constraint') === name) ? 'validates' : undefined;
};

const isConcurrent = (statement: string): boolean =>
  /^(create( unique)?|drop) index concurrently\b/.test(statement);

/** `drop index concurrently if exists x` and `create index concurrently x on …`, and nothing else. */
const ofConcurrent = ({ inTransaction }: RecordedMigration, all: readonly string[]): Finding => {
  const [dropped, built, ...more] = all;
  const name = tableOf(dropped ?? '', '^drop index concurrently if exists');
  const isAlone = more.length === 0 && name !== undefined;
  const isSame = tableOf(built ?? '', '^create(?: unique)? index concurrently') === name;
  if (!isAlone || !isSame || inTransaction) return 'concurrent';
  return built?.startsWith('create unique') ? 'demands' : undefined;
};

/**
 * Finds what in migrations would break the processes of the previous version, which run on alongside them, or would
 * keep them waiting. Whatever a migration does to a table that it has made itself is its own affair.
 * @param history all migrations of a schema, oldest first
 */
export const breachesOf = (history: readonly RecordedMigration[]): Breach[] =>
  history.flatMap((migration) => {
    const all = migration.statements.flatMap(statementsOf);
    const breach = (rule: Rule, statement: string): Breach => ({
      migration: migration.name,
      rule,
      statement,
    });
    if (all.some(isConcurrent)) {
      const rule = ofConcurrent(migration, all);
      return rule ? [breach(rule, all.join('; '))] : [];
    }
    const own = new Set(
      all
        .map((it) => tableOf(it, '^create (?:unlogged )?table(?: if not exists)?'))
        .filter((it) => it !== undefined),
    );
    return all.flatMap((statement) => {
      const subject = subjectOf(statement);
      const isOwn = subject !== undefined && own.has(subject);
      const rule =
        ofAny(statement) ??
        (isOwn || subject === undefined
          ? undefined
          : (ofExistingTable(statement) ?? ofValidation(statement, all)));
      return rule ? [breach(rule, statement)] : [];
    });
  });
