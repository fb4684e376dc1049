import { afterAll, afterEach, beforeAll, describe, it } from '@jest/globals';
import { freePorts } from '@stanza/test-kit/database';
import pg from 'pg';
import { startTestNats, type TestNats } from '../testing/nats.ts';
import { provisionSchema, startTestPostgres, type TestPostgres } from '../testing/postgres.ts';
import { testSamples } from '../testing/sample-process.ts';
import { until } from '../testing/wait.ts';

const samples = testSamples();
let nats: TestNats;
let postgres: TestPostgres;
let databaseUrl: string;

beforeAll(async () => {
  nats = await startTestNats();
  postgres = await startTestPostgres();
  databaseUrl = await provisionSchema(postgres.url, 'organization');
});
afterAll(async () => {
  await postgres.close();
  await nats.close();
});
afterEach(() => samples.end());

/** Runs a sample, ready or not, and returns the address of its probes. */
const runProcess = async (name = 'sample-service'): Promise<string> => {
  const [port = 0] = await freePorts(1);
  samples.run(name, {
    STANZA_NATS_URL: nats.url,
    STANZA_DATABASE_URL: databaseUrl,
    STANZA_METRICS_PORT: String(port),
  });
  return `http://127.0.0.1:${port}`;
};

/** Changes what new sessions of the service's role begin with, and ends the open ones. */
const alterRole = async (how: string): Promise<void> => {
  const superuser = new pg.Client({ connectionString: postgres.url });
  await superuser.connect();
  await superuser.query(`alter role stanza_organization ${how}`);
  await superuser.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'stanza_organization'",
  );
  await superuser.end();
};

/** Seconds for which a process has not heard its database; NaN while it says nothing of it. */
const unanswered = async (probes: string): Promise<number> => {
  const answer = await fetch(`${probes}/metrics`).catch(() => undefined);
  const text = (await answer?.text()) ?? '';
  const value = /^stanza_database_unanswered_seconds\{.*\} (\+Inf|[\d.]+)$/m.exec(text)?.[1];
  return value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value);
};

describe('the seconds for which a process has not heard its database', () => {
  it('The seconds without an answer are infinite from the start until the first answer', async () => {
    await postgres.kill();
    const probes = await runProcess();
    await until(async () => (await unanswered(probes)) === Number.POSITIVE_INFINITY);
    await postgres.restart();
    await until(async () => (await unanswered(probes)) < Number.POSITIVE_INFINITY);
  });

  it('The seconds without an answer begin again while a process waits for migrations', async () => {
    const probes = await runProcess('sample-behind');
    await until(async () => {
      const answer = await fetch(`${probes}/readyz`).catch(() => undefined);
      return (await answer?.text())?.includes('the schema lacks') === true;
    });
    // A database that is not asked only gets older.
    let last = 0;
    await until(async () => {
      const earlier = last;
      last = await unanswered(probes);
      return last < earlier;
    });
  });

  it('The seconds without an answer grow while the database takes reads alone', async () => {
    const probes = await runProcess();
    await until(async () => (await unanswered(probes)) < 5);
    await alterRole('set default_transaction_read_only = on');
    await until(async () => (await unanswered(probes)) > 20);
    await alterRole('reset default_transaction_read_only');
    await until(async () => (await unanswered(probes)) < 5);
  });
});
