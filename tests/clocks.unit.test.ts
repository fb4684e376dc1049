import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  ormComparisons,
  processClocks,
  readsPassedMoment,
  statementsIn,
  writesPassedMoment,
} from './kit/source-statements.ts';

const root = join(import.meta.dirname, '..');
const files = globSync('{services,shared,deploy}/*/src/**/*.{ts,tsx}', { cwd: root }).filter(
  (file) => !/\.test\.ts$|\/(testing|migrations)\//.test(file),
);
const sources = files.map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
const statements = sources.flatMap(({ file, text }) =>
  statementsIn(text).map((it) => ({ ...it, schema: file.split('/')[1] ?? '' })),
);

/** Statements that compare a column with a moment which the process passes, each with the reason why that does no harm. */
const comparing: Record<string, string> = {
  'messages-search-${name}': 'The range is the one for which the caller asks.',
  'template-callers': 'The days are those for which the page counts, and decide nothing.',
  'usage-by-${name}-${reach}': 'The days are those for which the caller asks.',
};

/** Statements that write a column from a moment which the process passes, though others compare it with the database's. */
const writing: Record<string, string> = {
  'account-open': 'The first of the coming month, which no clock has to agree on to the minute.',
  'api-key-insert': 'It writes when the key was made, which nothing compares.',
  'audit-stream-release': 'The moment is the fence that the claim has answered: the row must still have it.',
  'connection-put': 'It writes when the connection was made, which nothing compares.',
  'delivery-attempt-begin': 'The moment is the fence that the claim has read: the row must still have it.',
  'delivery-hold': 'The moment is the fence that the claim has read: the row must still have it.',
  'delivery-settle': 'The moment is the fence that the claim has read: the row must still have it.',
  'monthly-grant-next': 'The first of the coming month, counted from the one that was stored.',
  'push-write': 'The transaction has read the moment from the database, once it held all locks.',
  'run-insert': 'The moment is the one that the scheduled message has stored for its next run.',
  'scheduled-activate': 'The next run is counted from a moment that was read from the database.',
  'scheduled-insert': 'The first run is counted from a moment that was read from the database.',
  'scheduled-replace': 'The next run is counted from a moment that was read from the database.',
  'test-targets-lock':
    'Whoever changes the list says which moment it read, and that is compared for being the same alone.',
  'test-targets-replace': 'It writes when the targets were named, which nothing compares.',
};

/** Files of stores that compare through the ORM. */
const throughOrm: Record<string, string> = {
  'services/delivery/src/destinations/store/deliveries.ts':
    'A cursor goes on behind an id, which is no moment.',
  'services/delivery/src/interactions/store/interaction-log.ts':
    'A cursor goes on behind an id, which is no moment.',
  'services/organization/src/store/audit-log.ts': 'The range is the one for which the caller asks.',
  'services/organization/src/store/invitations.ts':
    'A list shows which invitations are over, and decides nothing.',
  'services/template/src/store/activations.ts': 'A cursor goes on behind an activation number.',
  'services/template/src/store/modal-versions.ts': 'A cursor goes on behind a version number.',
  'services/template/src/store/versions.ts': 'A cursor goes on behind a version number.',
};

const expectAllowed = (all: readonly string[], allowed: Record<string, string>): void => {
  const found = new Set(all);
  expect([...found].toSorted()).toEqual(Object.keys(allowed).toSorted());
  for (const reason of Object.values(allowed)) expect(reason).toMatch(/^\S+ .{15,}\.$/);
};

describe('moments that two processes compare', () => {
  it('are looked for in every statement', () => {
    expect(statements.length).toBeGreaterThan(200);
    expect(readsPassedMoment('select from t where due_at <= $1')).toBe(true);
    expect(readsPassedMoment('select from t where $2::timestamptz > t.window_end')).toBe(true);
    expect(readsPassedMoment('select from t where due_at <= (select clock_timestamp()) and id > $1')).toBe(
      false,
    );
    const compared = new Set(['due_at']);
    expect(writesPassedMoment('update t set due_at = $2 where id = $1', compared)).toBe(true);
    expect(writesPassedMoment('insert into t (id, due_at) values ($1, $2)', compared)).toBe(true);
    expect(writesPassedMoment('insert into t\n  (id, due_at)\nvalues ($1, $2)', compared)).toBe(true);
    expect(writesPassedMoment('insert into t (id, due_at) select id, $2 from s', compared)).toBe(true);
    expect(writesPassedMoment('insert into t (id, due_at) values ($1, clock_timestamp())', compared)).toBe(
      false,
    );
    expect(processClocks('const at = clock.now();')).toBe(true);
    expect(ormComparisons('where: { expires_at: LessThanOrEqual(now) }')).toBe(true);
  });

  it('are not passed to a statement that compares, but for a few with a reason', () => {
    expectAllowed(
      statements.filter((it) => readsPassedMoment(it.text)).map((it) => it.name),
      comparing,
    );
  });

  it('are not passed to a statement that writes what another compares, but for a few with a reason', () => {
    const bySchema = Map.groupBy(statements, (it) => it.schema);
    const found = [...bySchema.values()].flatMap((own) => {
      const compared = new Set(own.flatMap((it) => it.compared));
      return own.filter((it) => writesPassedMoment(it.text, compared)).map((it) => it.name);
    });
    expectAllowed(found, writing);
  });

  it('are not compared by the ORM, but for a few with a reason', () => {
    expectAllowed(
      sources.filter((it) => ormComparisons(it.text)).map((it) => it.file),
      throughOrm,
    );
  });

  it('are not read from the clock of the process where statements are', () => {
    const stores = sources.filter(({ file }) => /\/store\/|runtime\/src\/(database|outbox)\//.test(file));
    expect(stores.filter((it) => processClocks(it.text)).map((it) => it.file)).toEqual([]);
  });
});
