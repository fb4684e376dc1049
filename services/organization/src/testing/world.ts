import {
  type Environment,
  type InputOf,
  type InternalOperation,
  type Operation,
  type Person,
  type Principal,
  type ReplyOf,
  scopesOfRole,
  type TierName,
} from '@stanza/contracts';
import {
  type Call,
  type Clock,
  createMetrics,
  createOutbox,
  type Handler,
  newContext,
  noTracing,
  type RpcClient,
  silentLogger,
  statement,
  Tenant,
} from '@stanza/runtime';
import { type TestDatabase, testDatabase } from '@stanza/test-kit/database';
import { v7 as uuidv7 } from 'uuid';
import type { Dependencies } from '../dependencies.ts';
import { KeyHashes } from '../domain/key-hash.ts';
import { Patience } from '../domain/patience.ts';
import { configuredTiers } from '../domain/tiers.ts';
import { Uses } from '../domain/uses.ts';
import { noMailer } from '../mail.ts';
import { createOrganization } from '../operations/create-organization.ts';
import { entities } from '../store/entities.ts';

/** A clock that stands still until it is told to go on. */
export class SteppedClock implements Clock {
  #now = Date.parse('2026-11-21T08:00:00.000Z');

  now(): Date {
    return new Date(this.#now);
  }

  monotonic(): number {
    return this.#now;
  }

  /** Lets time pass. */
  pass(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

/** Other services never answer in a test that has not said what they say. */
const nobody: RpcClient = { call: () => Promise.reject(new Error('nobody answers here')) };

/** The parts of the service on a database of its own, with a clock that the test holds. */
export interface World extends Dependencies {
  clock: SteppedClock;
  /** For statements of the test's own. */
  rows: <Row extends object>(text: string, values?: readonly unknown[]) => Promise<Row[]>;
  url: string;
  ownerUrl: string;
  close: () => Promise<void>;
}

/** Two secrets: what `olderHashes` made, `keyHashes` finds. */
export const olderHashes = new KeyHashes({ id: 'k0', secret: Buffer.alloc(32, 7) });

/** Opens a world. */
export const openWorld = async (options: { pool?: number } = {}): Promise<World> => {
  const clock = new SteppedClock();
  const made: TestDatabase = await testDatabase('organization', { entities, clock, ...options });
  let texts = 0;
  return {
    database: made.database,
    url: made.url,
    ownerUrl: made.ownerUrl,
    outbox: createOutbox({ service: 'organization', tracing: noTracing, poke: () => undefined }),
    rpc: nobody,
    clock,
    log: silentLogger(),
    metrics: createMetrics({ service: 'organization', processMetrics: false }),
    tiers: configuredTiers.parse(undefined),
    keyHashes: new KeyHashes({ id: 'k1', secret: Buffer.alloc(32, 8) }, [
      { id: 'k0', secret: Buffer.alloc(32, 7) },
    ]),
    keyUse: new Uses(),
    sessionUse: new Uses(),
    patience: new Patience(0),
    erasureDelayMs: 60_000,
    mailer: noMailer,
    invitations: { days: 7, page: 'https://stanza.example.com/join' },
    rows: <Row extends object>(text: string, values: readonly unknown[] = []) => {
      texts += 1;
      return made.database.query(statement<Row>(`test-${texts}`, text), values);
    },
    close: made.drop,
  };
};

/** What a test says of the one who calls. */
export interface Caller {
  organizationId: string;
  environment?: Environment;
  actor?: Principal['actor'];
  /** Default: somebody who is no member of anything. */
  person?: Person;
}

const somebody: Person = {
  issuer: 'https://identity.example.com',
  subject: 'somebody',
  email: 'somebody@example.com',
  email_verified: true,
};

const principalOf = ({ organizationId, environment = 'production', actor }: Caller): Principal => ({
  organization_id: organizationId,
  environment,
  actor: actor ?? { type: 'system', id: 'test' },
  role: 'owner',
  scopes: [...scopesOfRole('owner')],
});

/** Runs an operation as the server would, for a caller. */
export const run = <O extends Operation>(
  handler: Handler<O>,
  input: InputOf<O>,
  caller: Caller = { organizationId: uuidv7() },
): Promise<ReplyOf<O>> => runAs(handler, principalOf(caller), input, caller.person);

/** Runs an operation as the server would, for a principal and maybe the person of a session. */
export const runAs = <O extends Operation>(
  handler: Handler<O>,
  principal: Principal,
  input: InputOf<O>,
  person: Person = somebody,
): Promise<ReplyOf<O>> => {
  const call: Call<O> = {
    input,
    principal,
    person,
    tenant: Tenant.of(principal),
    context: newContext({ deadlineMs: 5_000, principal }),
    signal: new AbortController().signal,
    log: silentLogger(),
  };
  return handler.run(call);
};

/** Runs an internal operation as it comes over the wire: its input and its reply fit their schemas. */
export const runInternal = async <O extends InternalOperation>(
  handler: Handler<O>,
  input: unknown,
): Promise<ReplyOf<O>> => {
  const { operation } = handler;
  const reply = await handler.serve({
    json: JSON.stringify(input),
    context: newContext({ deadlineMs: 5_000 }),
    signal: () => new AbortController().signal,
    log: silentLogger,
  });
  const json = JSON.parse(JSON.stringify(reply));
  operation.reply.parse(json);
  return json;
};

/** Founds an organization that belongs to one test alone. */
export const found = async (
  world: World,
  options: { credits?: number; tier?: TierName } = {},
): Promise<{ id: string; ownerId: string }> => {
  const made = await runInternal(createOrganization(world), {
    name: `Test ${uuidv7()}`,
    tier: options.tier ?? 'free',
    owner_email: `Owner-${uuidv7()}@Example.com`,
    owner_first_name: 'Olive',
    owner_last_name: 'Owner',
    credits: options.credits ?? 100,
  });
  return { id: made.organization_id, ownerId: made.user_id };
};

/** An organization's account beside the sum of its ledger. */
export const accountOf = async (world: World, organizationId: string) => {
  const [account] = await world.rows<{ balance: number; reserved: number; ledger: number; held: number }>(
    `select balance, reserved,
       (select coalesce(sum(amount), 0)::bigint from credit_log where organization_id = $1) as ledger,
       (select coalesce(sum(open_items), 0)::bigint from reservations where organization_id = $1) as held
     from credit_accounts
     where organization_id = $1`,
    [organizationId],
  );
  if (!account) throw new Error('there is no account');
  return account;
};

/** What gateways hear when keys, roles or memberships have changed. */
export const accessChangedSubject = 'events.organization.access-changed';

/** Events that wait in the outbox for an organization. */
export const eventsOf = async (world: World, organizationId: string): Promise<string[]> => {
  const rows = await world.rows<{ subject: string }>(
    "select subject from outbox where payload ->> 'organization_id' = $1 order by id",
    [organizationId],
  );
  return rows.map((row) => row.subject);
};

/** A line of the audit log, as far as tests look at it. */
export interface AuditLine {
  action: string;
  environment: Environment | null;
  actor_type: string;
  actor_id: string;
  actor_user_id: string | null;
  subject_kind: string;
  subject_id: string;
  changes: Record<string, unknown>;
}

/** What is on record of an organization, oldest first; its founding left out. */
export const auditOf = (world: World, organizationId: string): Promise<AuditLine[]> =>
  world.rows<AuditLine>(
    "select * from audit_log where organization_id = $1 and action <> 'organization.created' order by id",
    [organizationId],
  );
