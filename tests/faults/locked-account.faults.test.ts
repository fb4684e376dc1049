import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { getCredits, sendTemplate } from '@stanza/contracts';
import { serviceRole, urlFor } from '@stanza/local/provision';
import { readSecrets } from '@stanza/local/secrets';
import pg from 'pg';
import type { Api } from '../kit/api.ts';
import { type OwnStack, startOwnStack } from '../kit/own-stack.ts';
import type { World } from '../kit/stack.ts';
import { liveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

/** Sends of the locked organization at one moment: more than the connections of a service. */
const sendsAtOnce = 40;
/** Milliseconds that the platform takes for the message whose settlement finds the account locked. */
const slowMs = 2_000;

let channels = 0;
const nextChannel = (): string => `C${1_000 + channels++}`;

describe('an account that a lost session holds', () => {
  let own: OwnStack;
  let world: World;
  let lost: pg.Client | undefined;

  beforeAll(async () => {
    own = await startOwnStack('locked-account', { seed: false });
    ({ world } = own);
  });
  afterAll(async () => {
    await own?.close();
  });
  afterEach(async () => {
    await lost?.end();
    lost = undefined;
  });

  const newCustomer = async () => {
    const organization = await world.newOrganization({ tier: 'enterprise', credits: 1_000 });
    const api: Api = world.api.with((await organization.key()).key);
    const { id: template_id } = await liveTemplate(api);
    const send = (channel_id: string, key?: string) =>
      api.post(
        '/v1/templates/send',
        { template_id, data: {}, channel_id },
        key === undefined ? {} : { headers: { 'idempotency-key': key } },
      );
    const compile = () => api.post('/v1/templates/compile', { template_id, data: {} });
    const credits = () => api.ok(getCredits, { params: { organization_id: organization.id } });
    return { id: organization.id, api, send, compile, credits };
  };
  type Customer = Awaited<ReturnType<typeof newCustomer>>;

  /** Locks the account as a process of the organization service that is lost between two statements. */
  const lockAccount = async ({ id }: Customer, ...settings: string[]): Promise<void> => {
    const { roles } = readSecrets(join(own.directory, 'secrets.json'));
    const role = serviceRole('organization');
    lost = new pg.Client({
      connectionString: urlFor(own.stack.info.database_url, role, roles[role] ?? ''),
      application_name: 'lost session',
    });
    lost.on('error', () => undefined);
    await lost.connect();
    for (const setting of settings) await lost.query(`set ${setting} = 0`);
    await lost.query('begin');
    const { rowCount } = await lost.query(
      'select from organization.credit_accounts where organization_id = $1 for update',
      [id],
    );
    expect(rowCount).toBe(1);
  };
  const isStillThere = async (): Promise<boolean> => {
    const { rowCount } = await world.database.query(
      "select from pg_stat_activity where application_name = 'lost session'",
    );
    return rowCount === 1;
  };

  /** A message is being posted, and its settlement comes once the account is locked. */
  const beginSlowSend = async (customer: Customer) => {
    const before = await customer.credits();
    const channel = nextChannel();
    await world.sandbox.slowPosts(channel, slowMs);
    const answer = customer.send(channel);
    await waitFor('the credit to be reserved', async () => (await customer.credits()).reserved === 1);
    return { channel, before: before.balance, answer };
  };
  const settled = (customer: Customer) =>
    waitFor('every settlement', async () => {
      const credits = await customer.credits();
      return credits.reserved === 0 && credits;
    });

  it('keeps no neighbour from sending, nor its settlements, and nothing of its own is posted unpaid', async () => {
    const [locked, neighbour] = [await newCustomer(), await newCustomer()];
    const slow = await beginSlowSend(locked);
    await lockAccount(locked, 'idle_in_transaction_session_timeout', 'transaction_timeout');
    expect((await slow.answer).status).toBe(200);

    const asked = Array.from({ length: sendsAtOnce }, () => nextChannel());
    const answers = Promise.all(asked.map((channel) => locked.send(channel, channel)));
    const sent: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      sent.push((await neighbour.compile()).status, (await neighbour.send(nextChannel())).status);
    }
    expect(sent).toEqual(sent.map(() => 200));
    expect(await settled(neighbour)).toMatchObject({ balance: 1_000 - 10, reserved: 0 });
    expect(await isStillThere()).toBe(true);

    const refused = await answers;
    expect(new Set(refused.map(({ status, body }) => `${status} ${Object(body).code}`))).toEqual(
      new Set(['503 service_unavailable']),
    );
    for (const channel of asked) expect(await world.sandbox.messages(channel)).toEqual([]);

    await lost?.query('rollback');
    const repeated = await Promise.all(asked.map((channel) => locked.send(channel, channel)));
    expect(repeated.map(({ status }) => status)).toEqual(asked.map(() => 200));
    const { balance } = await settled(locked);
    expect(balance).toBe(slow.before - 1 - sendsAtOnce);
    for (const channel of [slow.channel, ...asked]) {
      expect(await world.sandbox.messages(channel)).toHaveLength(1);
    }
  });

  it('is free again by itself, since Postgres ends a session that is silent in a transaction', async () => {
    const locked = await newCustomer();
    const slow = await beginSlowSend(locked);
    await lockAccount(locked);
    expect((await slow.answer).status).toBe(200);
    const [channel, key] = [nextChannel(), 'as soon as it is free'];
    const answer = await waitFor('the account to be free', async () => {
      const tried = await locked.send(channel, key);
      return tried.status !== 503 && tried;
    });
    expect(sendTemplate.reply.parse(answer.body)).toMatchObject({ success: true });
    expect(await isStillThere()).toBe(false);
    expect(await settled(locked)).toMatchObject({ balance: slow.before - 2, reserved: 0 });
    for (const one of [slow.channel, channel]) expect(await world.sandbox.messages(one)).toHaveLength(1);
  });
});
