import pg from 'pg';

/**
 * The tables of the service that a team writes itself, and what it asks of them: statements in plain transactions, each
 * prepared once by its name.
 */
export const pool = new pg.Pool({ connectionString: process.env.BENCH_DATABASE_URL, max: 20 });

/** Makes the tables anew, with one template and one account. */
export const prepare = async (templateId: string, versionId: string, source: string): Promise<void> => {
  await pool.query(`
    drop schema if exists own_service cascade;
    create schema own_service;
    create table own_service.templates (id uuid primary key, version_id uuid not null, source text not null);
    create table own_service.accounts (id int primary key, balance bigint not null check (balance >= 0));
    create table own_service.ledger (
      id uuid primary key, account_id int not null, amount int not null, created_at timestamptz not null default now());
    create table own_service.operations (
      account_id int not null, key text not null, fingerprint text not null, answer json,
      created_at timestamptz not null default now(), primary key (account_id, key));
    create table own_service.messages (
      id uuid primary key, account_id int not null, template_id uuid not null, version_id uuid not null, key text not null,
      channel text not null, status text not null, ts text, error text,
      created_at timestamptz not null default now(), updated_at timestamptz not null default now());
    create index on own_service.messages (created_at) where status in ('posting', 'unknown');
    insert into own_service.accounts values (1, 100000000)`);
  await pool.query('insert into own_service.templates values ($1, $2, $3)', [templateId, versionId, source]);
};

/** Does something in a transaction. */
export const inTransaction = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
};

/** The live version of a template. */
export const liveVersion = async (
  id: string,
): Promise<{ version_id: string; source: string } | undefined> => {
  const text = 'select version_id, source from own_service.templates where id = $1';
  return (await pool.query({ name: 'live-version', text, values: [id] })).rows[0];
};

/**
 * Takes credits from the account, which stays locked until the transaction ends; a negative amount gives back.
 * @returns the balance, or undefined where it is too low
 */
export const charge = async (
  client: pg.PoolClient,
  id: string,
  amount: number,
): Promise<string | undefined> => {
  const taken = await client.query({
    name: 'charge',
    text: 'update own_service.accounts set balance = balance - $1 where id = 1 and balance >= $1 returning balance',
    values: [amount],
  });
  if (taken.rows.length === 0) return undefined;
  const text = 'insert into own_service.ledger (id, account_id, amount) values ($1, 1, $2)';
  await client.query({ name: 'log-charge', text, values: [id, -amount] });
  return taken.rows[0].balance;
};

/** A message as it is accepted. */
export interface Accepted {
  id: string;
  key: string;
  fingerprint: string;
  templateId: string;
  versionId: string;
  channel: string;
}

/** What an earlier request with the same key was, and what it was answered, if it has been. */
export interface Earlier {
  fingerprint: string;
  answer: object | null;
}

/** Claims the key, charges, and writes the message before its post. */
export const accept = (message: Accepted): Promise<{ balance?: string; earlier?: Earlier }> =>
  inTransaction(async (client) => {
    const claimed = await client.query({
      name: 'claim',
      text: `insert into own_service.operations (account_id, key, fingerprint) values (1, $1, $2)
             on conflict do nothing returning key`,
      values: [message.key, message.fingerprint],
    });
    if (claimed.rows.length === 0) {
      const text = 'select fingerprint, answer from own_service.operations where account_id = 1 and key = $1';
      return { earlier: (await client.query({ name: 'earlier', text, values: [message.key] })).rows[0] };
    }
    const balance = await charge(client, message.id, 1);
    if (balance === undefined) throw new Error('the balance is too low');
    await client.query({
      name: 'accept',
      text: `insert into own_service.messages (id, account_id, template_id, version_id, key, channel, status)
             values ($1, 1, $2, $3, $4, $5, 'posting')`,
      values: [message.id, message.templateId, message.versionId, message.key, message.channel],
    });
    return { balance };
  });

/** How a post ended. */
export interface Outcome {
  status: 'sent' | 'failed' | 'unknown';
  ts?: string;
  error?: string;
}

/** Writes the outcome and the answer of the key; what failed is given back. */
export const conclude = (
  { id, key }: Pick<Accepted, 'id' | 'key'>,
  { status, ts, error }: Outcome,
  refundId: string,
  answer: object,
): Promise<void> =>
  inTransaction(async (client) => {
    await client.query({
      name: 'conclude',
      text: `update own_service.messages set status = $2, ts = $3, error = $4, updated_at = now() where id = $1`,
      values: [id, status, ts, error],
    });
    if (status === 'failed') await charge(client, refundId, -1);
    if (status === 'unknown') return;
    const text = 'update own_service.operations set answer = $2 where account_id = 1 and key = $1';
    await client.query({ name: 'answer', text, values: [key, JSON.stringify(answer)] });
  });

/** Messages whose outcome nobody has written, for longer than a post takes. */
export const openMessages = async (): Promise<{ id: string; key: string; channel: string }[]> => {
  const text = `select id, key, channel from own_service.messages
    where status in ('posting', 'unknown') and created_at < now() - interval '30 seconds' limit 100`;
  return (await pool.query(text)).rows;
};
