import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compileTemplate, isErrorCode, type ServiceName, sendTemplate } from '@stanza/contracts';
import type { Stack } from '@stanza/local';
import { v7 } from 'uuid';
import type { Api, ApiAnswer } from '../kit/api.ts';
import type { TestOrganization } from '../kit/organization.ts';
import { type OwnStack, startOwnStack } from '../kit/own-stack.ts';
import type { World } from '../kit/stack.ts';
import { liveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

const clients = 8;
const operationsOfClient = 125;
/** Each dies once, spread over the load. */
const victims: ServiceName[] = ['organization', 'delivery', 'compile', 'gateway'];
const compilePath = '/v1/templates/compile';
const sendPath = '/v1/templates/send';

/** Requests that a client makes in turn: how often each, what it asks for. */
const kinds = [
  'compile',
  'send',
  'keyed compile',
  'unknown template',
  'keyed send',
  'unknown channel',
] as const;
type Kind = (typeof kinds)[number];

interface Seen {
  /** `credit_log_id` of every compile and every send that was answered 200; replays repeat them. */
  compiles: Set<string>;
  sends: Set<string>;
  codes: string[];
  replays: number;
  /** Answers that a client never got. */
  broken: number;
  done: number;
}

/** One client of the load. */
class Client {
  readonly #api: Api;
  readonly #templateId: string;
  readonly #number: number;
  readonly #seen: Seen;

  constructor(api: Api, templateId: string, number: number, seen: Seen) {
    this.#api = api;
    this.#templateId = templateId;
    this.#number = number;
    this.#seen = seen;
  }

  async run(): Promise<void> {
    for (let at = 0; at < operationsOfClient; at += 1) {
      await this.#act(
        kinds[at % kinds.length] ?? 'compile',
        `C${1_000 + this.#number * operationsOfClient + at}`,
      );
      this.#seen.done += 1;
    }
  }

  async #act(kind: Kind, channel_id: string): Promise<void> {
    const body = { template_id: this.#templateId, data: {} };
    switch (kind) {
      case 'compile':
        return this.#post(compilePath, body);
      case 'send':
        return this.#post(sendPath, { ...body, channel_id });
      case 'keyed compile':
        return this.#twice(compilePath, body);
      case 'keyed send':
        return this.#twice(sendPath, { ...body, channel_id });
      case 'unknown template':
        return this.#post(compilePath, { ...body, template_id: v7() });
      case 'unknown channel':
        return this.#post(sendPath, { ...body, channel_id: `${channel_id}NOWHERE` });
    }
  }

  /** The same keyed request again, as a client that lost the answer would. */
  async #twice(path: string, body: object): Promise<void> {
    const headers = { 'idempotency-key': v7() };
    await this.#post(path, body, headers);
    await this.#post(path, body, headers);
  }

  async #post(path: string, body: object, headers: Record<string, string> = {}): Promise<void> {
    let answer: ApiAnswer;
    try {
      answer = await this.#api.post(path, body, { headers });
    } catch (error) {
      // What fetch throws when a connection breaks; it is made outside of the test's own globals, so no instanceof.
      if (Object(error).name !== 'TypeError') throw error;
      this.#seen.broken += 1;
      return;
    }
    if (answer.headers.has('idempotency-replayed')) this.#seen.replays += 1;
    if (answer.status !== 200) this.#seen.codes.push(String(Object(answer.body).code));
    else if (path === compilePath)
      this.#seen.compiles.add(compileTemplate.reply.parse(answer.body).credit_log_id);
    else this.#seen.sends.add(String(sendTemplate.reply.parse(answer.body).credit_log_id));
  }
}

describe('credits under compiles, sends, failures and replays while services are killed', () => {
  let own: OwnStack;
  let stack: Stack;
  let world: World;
  let organization: TestOrganization;
  const seen: Seen = {
    compiles: new Set(),
    sends: new Set(),
    codes: [],
    replays: 0,
    broken: 0,
    done: 0,
  };

  beforeAll(async () => {
    own = await startOwnStack('credits', { seed: false });
    ({ stack, world } = own);
    organization = await world.newOrganization({ credits: 10_000 });
    const api = world.api.with((await organization.key()).key);
    const { id } = await liveTemplate(api);
    const running = Array.from({ length: clients }, (_, number) => new Client(api, id, number, seen).run());
    for (const [index, victim] of victims.entries()) {
      const when = (clients * operationsOfClient * (index + 1)) / (victims.length + 1);
      await waitFor(`the load to reach ${victim}`, () => seen.done >= when);
      stack.kill(victim, 'SIGKILL');
    }
    await Promise.all(running);
    await stack.whenReady();
    await waitFor('every charge and every reservation to be ended', isSettled);
  });

  afterAll(async () => {
    await own?.close();
  });

  const rows = async <Row extends object>(text: string): Promise<Row[]> =>
    (await world.database.query<Row>(text, [organization.id])).rows;

  const isSettled = async (): Promise<boolean> => {
    const open = await rows(
      `select operation_id from organization.provisional_charges where organization_id = $1
       union all
       select operation_id from organization.reservations where organization_id = $1 and closed_at is null`,
    );
    return open.length === 0;
  };

  /** Ids of the charges of an operation that were not taken back. */
  const charged = async (operation: 'compile' | 'send'): Promise<Set<string>> => {
    const found = await rows<{ id: string }>(
      `select charge.id
       from organization.credit_log as charge
       where organization_id = $1 and kind = 'charge' and operation = '${operation}'
         and not exists (
           select from organization.credit_log as reversal
           where reversal.organization_id = $1 and reversal.operation_id = charge.operation_id
             and reversal.attempt = charge.attempt and reversal.kind = 'reversal')`,
    );
    return new Set(found.map((it) => it.id));
  };

  it('are asked for by more than a thousand requests, with answers of every kind', () => {
    expect(seen.done).toBe(clients * operationsOfClient);
    // How many succeed between the kills depends on the machine; some of each kind is what the ledger is checked with.
    expect(seen.compiles.size).toBeGreaterThan(50);
    expect(seen.sends.size).toBeGreaterThan(50);
    expect(seen.replays).toBeGreaterThan(50);
    expect(seen.codes).toEqual(expect.arrayContaining(['template_not_found', 'invalid_destination']));
    expect(seen.codes.filter((code) => !isErrorCode(code) || code === 'internal_error')).toEqual([]);
  });

  it('leaves a balance that is the sum of the ledger, and nothing reserved', async () => {
    const [account] = await rows(
      `select balance = (select sum(amount) from organization.credit_log where organization_id = $1) as adds_up,
         reserved::int as reserved
       from organization.credit_accounts
       where organization_id = $1`,
    );
    expect(account).toEqual({ adds_up: true, reserved: 0 });
  });

  it('has charged the compiles that were answered, but for those in the hands of the gateway that died', async () => {
    const charges = await charged('compile');
    const given = [...seen.compiles].filter((id) => !charges.has(id));
    expect(given.length).toBeLessThanOrEqual(clients);
    // A keyed request whose client was cut off is charged: its answer is kept to be asked for again.
    const unseen = [...charges].filter((id) => !seen.compiles.has(id));
    expect(unseen.length).toBeLessThanOrEqual(seen.broken);
  });

  it('has charged the messages that were sent, each by its own row, but for those found out about too late', async () => {
    const charges = await charged('send');
    expect([...seen.sends].filter((id) => !charges.has(id))).toEqual([]);
    const sent = await rows<{ credit_log_id: string; charged: boolean }>(
      "select credit_log_id, charged from delivery.messages where organization_id = $1 and status = 'sent'",
    );
    const paid = sent.filter((it) => it.charged);
    expect(new Set(paid.map((it) => it.credit_log_id))).toEqual(charges);
    // In the hands of the delivery service that died: unknown, so that their credits were given back, then found.
    expect(sent.length - paid.length).toBeLessThanOrEqual(clients);
  });

  it('has posted nothing twice', async () => {
    const all = await rows<{ channel_id: string }>(
      "select channel_id from delivery.messages where organization_id = $1 and status = 'sent'",
    );
    const posts = await Promise.all(all.map(({ channel_id }) => world.sandbox.messages(channel_id)));
    expect(posts.filter((it) => it.length !== 1)).toEqual([]);
  });
});
