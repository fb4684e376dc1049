import { createServer, connect as dial, type Server, Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { connectTo, provisionSchema, startTestPostgres, type TestPostgres } from '../testing/postgres.ts';
import type { Database } from './database.ts';
import { statement } from './statement.ts';

const lockNote = statement<{ id: number }>('note-lock', 'select id from notes where id = 1 for update');
const allNotes = statement<{ id: number }>('notes-all', 'select id from notes order by id');
const limits = statement<Record<string, string>>(
  'session-limits',
  `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
     current_setting('idle_in_transaction_session_timeout') as idle,
     current_setting('transaction_timeout') as transaction,
     current_setting('tcp_keepalives_idle') as keepalive, current_setting('tcp_user_timeout') as unacknowledged`,
);

/** Set after the lock is taken, so that a slow machine has enough time until then. */
const waitsLittle = statement<object>(
  'test-wait-little',
  "select set_config('idle_in_transaction_session_timeout', '100ms', true)",
);

let postgres: TestPostgres;
let url: string;
let first: Database;

beforeAll(async () => {
  postgres = await startTestPostgres();
  url = await provisionSchema(postgres.url, 'organization');
  first = await connectTo(url, 'organization');
  await first.orm.query("insert into notes (id, text) values (1, 'an account')");
});
afterAll(async () => {
  await first.close();
  await postgres.close();
});

/** Never resolves, as in a frozen process. */
const frozen = new Promise<never>(() => undefined);

describe('a client that is lost between two statements of a transaction', () => {
  it('holds its locks no longer than the server waits for it', async () => {
    const lost = await connectTo(url, 'organization');
    const locked = Promise.withResolvers<void>();
    const transaction = lost.transaction(async (tx) => {
      await tx.query(lockNote);
      await tx.query(waitsLittle);
      locked.resolve();
      await frozen;
    });
    await locked.promise;
    expect(await first.transaction((tx) => tx.query(lockNote))).toEqual([{ id: 1 }]);
    transaction.catch(() => undefined);
    await lost.close();
  });

  it('that comes back finds its transaction rolled back: service_unavailable', async () => {
    const slow = await connectTo(url, 'organization', { pool: 1 });
    const transaction = slow.transaction(async (tx) => {
      await tx.query(lockNote);
      await tx.query(waitsLittle);
      await first.transaction((other) => other.query(lockNote));
      await tx.query(allNotes);
    });
    await expect(transaction).rejects.toMatchObject({
      code: 'service_unavailable',
      facts: { nothing_done: true },
    });
    expect(await slow.query(allNotes)).toEqual([{ id: 1 }]);
    await slow.close();
  });
});

describe('a lock that another holds', () => {
  it('is waited for shorter than a lost client may hold it, and nothing is changed', async () => {
    const hasty = await connectTo(url, 'organization', { lockTimeoutMs: 100 });
    await first.transaction(async (tx) => {
      await tx.query(lockNote);
      await expect(hasty.query(lockNote)).rejects.toMatchObject({
        code: 'service_unavailable',
        facts: { nothing_done: true },
      });
    });
    await hasty.close();
  });
});

describe('a transaction that takes too long', () => {
  it('is ended with its locks, though its process goes on: service_unavailable, nothing done', async () => {
    const endless = await connectTo(url, 'organization', { transactionTimeoutMs: 300 });
    const transaction = endless.transaction(async (tx) => {
      await tx.query(lockNote);
      for (;;) await tx.query(allNotes);
    });
    await expect(transaction).rejects.toMatchObject({
      code: 'service_unavailable',
      facts: { nothing_done: true },
    });
    expect(await first.transaction((tx) => tx.query(lockNote))).toEqual([{ id: 1 }]);
    await endless.close();
  });
});

describe('a database that took reads alone', () => {
  it('A database that took reads alone is written as soon as it takes writes', async () => {
    const superuser = new pg.Client({ connectionString: postgres.url });
    await superuser.connect();
    await superuser.query('alter role stanza_organization set default_transaction_read_only = on');
    const early = await connectTo(url, 'organization', { pool: 1 });
    const write = () => early.transaction((tx) => tx.query(lockNote));
    await expect(write()).rejects.toMatchObject({ code: 'service_unavailable' });
    await superuser.query('alter role stanza_organization reset default_transaction_read_only');
    expect(await write()).toEqual([{ id: 1 }]);
    await early.close();
    await superuser.end();
  });
});

describe('every connection', () => {
  it('has limits for statements, locks and silence', async () => {
    expect(await first.query(limits)).toEqual([
      {
        statement: '10s',
        lock: '4s',
        idle: '10s',
        transaction: '30s',
        keepalive: '10',
        unacknowledged: '30000',
      },
    ]);
  });
});

/** What a server says when it ends a session. */
const goodbye = (() => {
  const fields = Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0');
  const length = Buffer.alloc(4);
  length.writeInt32BE(length.length + fields.length);
  return Buffer.concat([Buffer.from('E'), length, fields]);
})();
/** How an answer ends, but for the state of the transaction. */
const readyForQuery = Buffer.from([0x5a, 0, 0, 0, 5]);

/** Longer than any test; the test triggers the timeout. */
const silenceMs = 3_600_000;

describe('a server that falls silent, or ends a session', () => {
  let proxy: Server;
  let isSilent: boolean;
  /** It says goodbye behind its next answer, in one packet. */
  let isLeaving: boolean;
  let unheard: PromiseWithResolvers<void>;
  let through: Database;
  let spied: { mockRestore: () => void };
  /** Timeout callbacks of the sockets; calling one ends its socket. */
  const limited: (() => void)[] = [];
  const sockets = new Set<Socket>();

  beforeEach(async () => {
    isSilent = false;
    isLeaving = false;
    unheard = Promise.withResolvers();
    const { setTimeout } = Socket.prototype;
    spied = jest.spyOn(Socket.prototype, 'setTimeout').mockImplementation(function (
      this: Socket,
      limit,
      end,
    ) {
      if (limit !== silenceMs) return Reflect.apply(setTimeout, this, [limit, end]);
      limited.push(() => end?.());
      return this;
    });
    const to = new URL(url);
    proxy = createServer((near) => {
      const far = dial(Number(to.port), to.hostname);
      for (const socket of [near, far]) {
        sockets.add(socket);
        socket.on('error', () => undefined);
      }
      near
        .on('data', (bytes) => (isSilent ? unheard.resolve() : far.write(bytes)))
        .on('close', () => far.destroy());
      const carry = (bytes: Buffer): void => {
        const isLast = isLeaving && bytes.subarray(-6, -1).equals(readyForQuery);
        if (isLast) isLeaving = false;
        if (!isSilent) near.write(isLast ? Buffer.concat([bytes, goodbye]) : bytes);
      };
      far.on('data', carry).on('close', () => near.destroy());
    });
    await new Promise<void>((resolve) => {
      proxy.listen(0, '127.0.0.1', resolve);
    });
    const address = new URL(url);
    const at = proxy.address();
    if (typeof at !== 'object' || at === null) throw new Error('the proxy has no port');
    address.port = String(at.port);
    through = await connectTo(address.href, 'organization', { pool: 1, silenceMs });
  });
  afterEach(async () => {
    spied.mockRestore();
    await through.close();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => proxy.close(resolve));
  });

  it.each([
    ['a statement', () => through.query(allNotes)],
    ['a transaction', () => through.transaction((tx) => tx.query(allNotes))],
  ])('fails %s as service_unavailable, and its connection is given up', async (_, ask) => {
    await through.query(allNotes);
    isSilent = true;
    const asked = expect(ask()).rejects.toMatchObject({ code: 'service_unavailable' });
    await unheard.promise;
    for (const end of limited.splice(0)) end();
    await asked;
    isSilent = false;
    expect(await ask()).toEqual([{ id: 1 }]);
  });

  it('fails the transaction that gets a connection whose session ends that moment, and not the process', async () => {
    await through.query(allNotes);
    isLeaving = true;
    const answered = through.query(allNotes);
    const next = through.transaction((tx) => tx.query(allNotes));
    expect(await answered).toEqual([{ id: 1 }]);
    await expect(next).rejects.toMatchObject({ code: 'service_unavailable', facts: { nothing_done: true } });
    expect(await through.query(allNotes)).toEqual([{ id: 1 }]);
  });
});
