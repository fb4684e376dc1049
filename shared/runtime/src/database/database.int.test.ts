import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CodedError } from '@stanza/contracts';
import { sharedByTests } from '@stanza/test-kit/shared';
import pg from 'pg';
import { pino } from 'pino';
import { EntitySchema } from 'typeorm';
import { InvariantError } from '../invariant.ts';
import { silentLogger } from '../observability/log.ts';
import {
  connectTo,
  FirstTables1700000000000,
  provisionSchema,
  startTestPostgres,
  type TestPostgres,
} from '../testing/postgres.ts';
import { until } from '../testing/wait.ts';
import type { Database, Transaction } from './database.ts';
import { isUniqueViolation } from './faults.ts';
import { migrate } from './migrate.ts';
import { withinOrganizations } from './reach.ts';
import { statement } from './statement.ts';

interface Note {
  id: number;
  text: string;
  at: Date | null;
}

const noteEntity = new EntitySchema<Note>({
  name: 'notes',
  columns: {
    id: { type: 'bigint', primary: true },
    text: { type: 'text' },
    at: { type: 'timestamptz', precision: 3, nullable: true },
  },
});

const insertNote = statement<Note>(
  'note-insert',
  'insert into notes (id, text, at) values ($1, $2, $3) returning *',
);
const allNotes = statement<Note>('notes-all', 'select * from notes order by id');
const waitingForLock = `select from pg_locks where not granted and locktype in ('transactionid', 'tuple')`;
const sleep = statement<object>('sleep', 'select pg_sleep($1)');

let postgres: TestPostgres;
let url: string;
let database: Database;

beforeAll(async () => {
  postgres = await startTestPostgres();
  url = await provisionSchema(postgres.url, 'organization');
  database = await connectTo(url, 'organization', { entities: [noteEntity], statementTimeoutMs: 500 });
});
afterAll(async () => {
  await database.close();
  await postgres.close();
});
beforeEach(() => database.orm.query('delete from notes'));

describe('a statement', () => {
  it('sees what was committed while the one before it waited for a lock, and ends with it', async () => {
    const first = {
      name: 'note-lock',
      text: 'select from notes where id = $1 for update',
      takes: [2],
    };
    const rename = statement<Note>(
      'note-rename',
      'update notes set text = text || $1 where id = $2 returning *',
      {
        first,
      },
    );
    const count = statement<{ notes: number }>(
      'notes-count',
      'select count(*) as notes, $1::bigint as id from notes',
      {
        first: { ...first, takes: [1] },
      },
    );
    await database.query(insertNote, [1, 'one', null]);
    expect(await database.query(rename, [' and a half', '1'])).toMatchObject([{ text: 'one and a half' }]);
    const counted = await database.transaction(async (tx) => {
      await tx.query(rename, ['', '1']);
      const waiting = database.query(count, ['1']);
      await until(async () => (await database.orm.query(waitingForLock)).length === 1);
      await tx.query(insertNote, [2, 'two', null]);
      return { waiting };
    });
    expect(await counted.waiting).toMatchObject([{ notes: 2 }]);
    await database.query(rename, ['', '2']);
  });

  it('fails in a transaction with the reason for which the one before it was refused', async () => {
    const locked = statement<Note>('note-locked', 'select * from notes where id = $1', {
      first: { name: 'note-refused', text: 'select from notes where id = $1 for update', takes: [1] },
    });
    const refused = database.transaction(async (tx) => {
      await tx.orm.query('set transaction read only');
      return await tx.query(locked, ['1']);
    });
    await expect(refused).rejects.toMatchObject({
      code: 'service_unavailable',
      facts: { nothing_done: true },
    });
  });

  it('answers int8 as numbers and timestamptz as dates, also through the ORM', async () => {
    const at = new Date('2026-03-01T12:00:00.123Z');
    const [inserted] = await database.query(insertNote, [9_007_199_254_740_991, 'largest', at]);
    expect(inserted).toEqual({ id: 9_007_199_254_740_991, text: 'largest', at });
    expect(await database.orm.find(noteEntity)).toEqual([inserted]);
  });

  it('refuses an int8 that a number cannot hold', async () => {
    const big = statement<{ big: number }>('big', 'select 9007199254740993::int8 as big');
    await expect(database.query(big)).rejects.toThrow('beyond the safe integers');
  });

  it('reports the name of the unique index that it violates', async () => {
    await database.query(insertNote, [1, 'same', null]);
    const error: unknown = await database.query(insertNote, [2, 'same', null]).catch((err) => err);
    expect(isUniqueViolation(error)).toBe(true);
    expect(isUniqueViolation(error, 'notes_text')).toBe(true);
    expect(isUniqueViolation(error, 'notes_pkey')).toBe(false);
    const fromOrm: unknown = await database.orm
      .insert(noteEntity, { id: 3, text: 'same' })
      .catch((err) => err);
    expect(isUniqueViolation(fromOrm, 'notes_text')).toBe(true);
  });

  it('is cancelled by the server after its timeout, as service_unavailable', async () => {
    await expect(database.query(sleep, [5])).rejects.toMatchObject({
      code: 'service_unavailable',
      message: expect.stringContaining('Nothing was changed'),
    });
  });

  it('that is slow is logged by name, without values', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) });
    const slow = await connectTo(url, 'organization', { log });
    await slow.query(statement('slow', 'select pg_sleep(0.3), $1::text'), ['a secret']);
    await slow.close();
    expect(lines.join()).toContain('"statement":"slow"');
    expect(lines.join()).not.toContain('a secret');
  });
});

describe('a transaction', () => {
  it('writes everything or nothing, through statements and ORM alike', async () => {
    const failing = database.transaction(async (tx) => {
      await tx.query(insertNote, [1, 'statement', null]);
      await tx.orm.save(noteEntity, { id: 2, text: 'orm', at: null });
      expect(await tx.query(allNotes)).toHaveLength(2);
      throw new CodedError('invalid_state');
    });
    await expect(failing).rejects.toMatchObject({ code: 'invalid_state' });
    expect(await database.query(allNotes)).toEqual([]);

    await database.transaction(async (tx) => {
      await tx.query(insertNote, [1, 'statement', null]);
      await tx.orm.save(noteEntity, { id: 2, text: 'orm', at: null });
    });
    expect(await database.query(allNotes)).toHaveLength(2);
  });

  it('runs the callbacks of the commit after it, and only then', async () => {
    const told: string[] = [];
    const work = (fails: boolean) => async (tx: Transaction) => {
      await tx.query(insertNote, [1, 'once', null]);
      tx.afterCommit(() => told.push(fails ? 'never' : 'committed'));
      expect(told).toEqual([]);
      if (fails) throw new Error('no');
    };
    await expect(database.transaction(work(true))).rejects.toThrow('no');
    await database.transaction(work(false));
    expect(told).toEqual(['committed']);
  });

  it('is committed whatever its callbacks do', async () => {
    const told: string[] = [];
    const text = await database.transaction(async (tx) => {
      await tx.query(insertNote, [1, 'kept', null]);
      tx.afterCommit(() => {
        throw new Error('a callback that fails');
      });
      tx.afterCommit(() => told.push('the next one'));
      return 'answer';
    });
    expect([text, told]).toEqual(['answer', ['the next one']]);
    expect(await database.query(allNotes)).toHaveLength(1);
  });

  it('wakes a job once its statements are committed, and none after a rollback', async () => {
    const woken: string[] = [];
    const waking = await connectTo(url, 'organization', { wake: (job) => woken.push(job) });
    const order = statement<Note>('note-order', insertNote.text, { wakes: 'write-notes' });
    const work = (id: number, fails: boolean) => async (tx: Transaction) => {
      await tx.query(order, [id, `note ${id}`, null]);
      await tx.query(order, [id + 1, `note ${id + 1}`, null]);
      expect(woken).toEqual([]);
      if (fails) throw new Error('no');
    };
    await expect(waking.transaction(work(1, true))).rejects.toThrow('no');
    await waking.query(insertNote, [1, 'wakes nobody', null]);
    await waking.transaction(work(2, false));
    expect(woken).toEqual(['write-notes']);
    await waking.query(order, [4, 'alone', null]);
    expect(woken).toEqual(['write-notes', 'write-notes']);
    await waking.close();
  });

  it('cannot be committed after a statement of it has failed', async () => {
    await database.query(insertNote, [1, 'there', null]);
    const careless = database.transaction(async (tx) => {
      await tx.query(insertNote, [2, 'other', null]);
      await tx.query(insertNote, [1, 'again', null]).catch(() => undefined);
    });
    await expect(careless).rejects.toBeInstanceOf(InvariantError);
    expect(await database.query(allNotes)).toHaveLength(1);
  });

  it('is run again after a deadlock', async () => {
    const patient = await connectTo(url, 'organization');
    await patient.query(insertNote, [1, 'one', null]);
    await patient.query(insertNote, [2, 'two', null]);
    const lock = statement<Note>('note-lock', 'select * from notes where id = $1 for update');
    const held = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const runs = [0, 0];
    const crosswise = (mine: number, first: number, second: number) =>
      patient.transaction(async (tx) => {
        runs[mine] = (runs[mine] ?? 0) + 1;
        await tx.query(lock, [first]);
        held[mine]?.resolve();
        await held[1 - mine]?.promise;
        await tx.query(lock, [second]);
      });
    await Promise.all([crosswise(0, 1, 2), crosswise(1, 2, 1)]);
    expect((runs[0] ?? 0) + (runs[1] ?? 0)).toBe(3);
    await patient.close();
  });

  it('always returns its connection', async () => {
    for (let round = 0; round < 12; round++) {
      await database.transaction(() => Promise.reject(new Error('x'))).catch(() => undefined);
    }
    expect(await database.query(allNotes)).toEqual([]);
  });
});

describe('a database that goes away', () => {
  it('fails statements in flight and new ones as service_unavailable, and is reconnected', async () => {
    const { database: lost, close } = await ownServer();
    const waiting = lost.query(sleep, [30]).catch((err: unknown) => err);
    const transaction = lost
      .transaction(async (tx) => {
        await tx.query(insertNote, [1, 'lost', null]);
        await tx.query(sleep, [30]);
      })
      .catch((err: unknown) => err);
    await until(async () => (await lost.query(activeSleeps))[0]?.count === 2);
    await close.kill();
    expect(await waiting).toMatchObject({ code: 'service_unavailable' });
    expect(await transaction).toMatchObject({
      code: 'service_unavailable',
      message: expect.stringContaining('Nothing was changed'),
    });
    await expect(lost.query(allNotes)).rejects.toMatchObject({
      code: 'service_unavailable',
      facts: { retry_after: 1 },
    });
    await expect(lost.transaction(async () => 1)).rejects.toMatchObject({ code: 'service_unavailable' });
    await close.restart();
    expect(await lost.query(allNotes)).toEqual([]);
    expect(await lost.transaction(async (tx) => tx.query(insertNote, [1, 'back', null]))).toHaveLength(1);
    await lost.close();
    await close.close();
  });

  it('refuses an outdated password: service_unavailable, until the password is right again', async () => {
    const { database: refused, close } = await ownServer();
    const owner = new pg.Client({ connectionString: close.url });
    await owner.connect();
    const setPassword = async (password: string): Promise<void> => {
      await owner.query(`alter role stanza_organization password '${password}'`);
      await owner.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'stanza_organization'",
      );
    };
    await setPassword('of today');
    await until(async () => (await codeOf(refused.query(allNotes))) === 'service_unavailable');
    await expect(refused.transaction(async () => 1)).rejects.toMatchObject({
      code: 'service_unavailable',
      message: expect.stringContaining('Nothing was changed'),
    });
    await setPassword('secret');
    expect(await refused.query(allNotes)).toEqual([]);
    await owner.end();
    await refused.close();
    await close.close();
  });

  const codeOf = (query: Promise<unknown>): Promise<unknown> =>
    query.then(
      () => undefined,
      (err: unknown) => Object(err).code,
    );

  const activeSleeps = statement<{ count: number }>(
    'active-sleeps',
    "select count(*)::int as count from pg_stat_activity where query like 'select pg_sleep%' and state = 'active'",
  );

  const ownServer = async () => {
    const server = await startTestPostgres();
    const address = await provisionSchema(server.url, 'organization');
    return {
      database: await connectTo(address, 'organization', { statementTimeoutMs: 60_000 }),
      close: server,
    };
  };
});

describe('an exhausted pool', () => {
  it('fails callers that wait too long as service_unavailable', async () => {
    const small = await connectTo(url, 'organization', { pool: 1, statementTimeoutMs: 10_000 });
    const open = Promise.withResolvers<void>();
    const holding = small.transaction(() => open.promise);
    await expect(small.query(allNotes)).rejects.toMatchObject({
      code: 'service_unavailable',
      message: expect.stringContaining('Nothing was changed'),
    });
    open.resolve();
    await holding;
    await small.close();
  });
});

describe('migrations', () => {
  it('are applied once, also by two processes at the same time', async () => {
    const options = {
      url: postgres.url,
      schema: 'template',
      migrations: [FirstTables1700000000000],
      serviceRole: 'stanza_organization',
      log: silentLogger(),
    };
    const both = await Promise.all([migrate(options), migrate(options)]);
    expect(both.flat()).toEqual(['FirstTables1700000000000']);
    expect(await migrate(options)).toEqual([]);
  });

  it('leave the service a role that only reads and writes rows of its own schema', async () => {
    const other = await provisionSchema(postgres.url, 'delivery');
    const client = new pg.Client({ connectionString: other });
    await client.connect();
    await client.query('insert into delivery.notes (id, text) values (1, $1)', ['mine']);
    for (const forbidden of [
      'create table delivery.more (id int)',
      'drop table delivery.notes',
      'alter table delivery.notes add column extra int',
      'select * from organization.notes',
      'delete from delivery.migrations',
    ]) {
      await expect(client.query(forbidden)).rejects.toThrow(/denied|owner/);
    }
    await client.end();
  });
});

describe('the connections of a pool', () => {
  const mine = '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e01';
  const theirs = '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e02';
  const shared = sharedByTests(() => connectTo(url, 'organization', { entities: [noteEntity], pool: 4 }));
  let open: () => void;
  let isOpen: Promise<void>;
  beforeEach(() => {
    ({ promise: isOpen, resolve: open } = Promise.withResolvers<void>());
  });

  /** Begins transactions of an organization that end when the test says so. */
  const begin = (organizationId: string, count: number): Promise<number[]> =>
    Promise.all(
      Array.from({ length: count }, (_, at) =>
        withinOrganizations([organizationId], () =>
          shared().transaction(async (tx) => {
            await tx.query(allNotes);
            await isOpen;
            return at;
          }),
        ),
      ),
    );

  it('are never all taken by one organization, for statements, transactions and the ORM alike', async () => {
    const busy = begin(mine, 12);
    await withinOrganizations([theirs], async () => {
      await shared().query(allNotes);
      await shared().orm.find(noteEntity);
      await shared().transaction((tx) => tx.query(allNotes));
    });
    await shared().query(allNotes);
    open();
    expect(await busy).toHaveLength(12);
  });

  it('are not waited for by what a transaction reads beside itself', async () => {
    const busy = Array.from({ length: 3 }, () =>
      withinOrganizations([mine], () => shared().transaction(() => shared().query(allNotes))),
    );
    expect(await Promise.all(busy)).toHaveLength(3);
  });

  it('come back to others when they are lost', async () => {
    const lost = withinOrganizations([mine], () =>
      shared().transaction((tx) =>
        tx.query(statement('end-own', 'select pg_terminate_backend(pg_backend_pid())')),
      ),
    );
    await expect(lost).rejects.toMatchObject({ code: 'service_unavailable' });
    open();
    expect(await begin(mine, 12)).toHaveLength(12);
  });
});
