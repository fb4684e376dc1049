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
  createMetrics,
  type Handler,
  newContext,
  type RpcClient,
  silentLogger,
  Tenant,
} from '@stanza/runtime';
import { runInProcess, type TestDatabase, testDatabase } from '@stanza/test-kit/database';
import { keptOutbox, type Rows, rowsIn, SteppedClock } from '@stanza/test-kit/service-world';
import { Client } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { Dependencies } from '../dependencies.ts';
import { ConfirmationWindow } from '../domain/confirmation-window.ts';
import { KeyHashes } from '../domain/key-hash.ts';
import { configuredTiers } from '../domain/tiers.ts';
import { Uses } from '../domain/uses.ts';
import { noMailer } from '../mail.ts';
import { createOrganization } from '../operations/create-organization.ts';
import { entities } from '../store/entities.ts';

/** Other services do not answer unless the test defines their replies. */
const nobody: RpcClient = { call: () => Promise.reject(new Error('no reply is defined in this test')) };

/** The parts of the service on a database of its own, with a clock that the test controls. */
export interface World extends Dependencies {
  clock: SteppedClock;
  /** For the test's own statements. */
  rows: Rows;
  url: string;
  ownerUrl: string;
  close: () => Promise<void>;
}

/** Two secrets: `keyHashes` finds the keys hashed by `olderHashes`. */
export const olderHashes = new KeyHashes({ id: 'k0', secret: Buffer.alloc(32, 7) });

/** Opens a world. */
export const openWorld = async (options: { pool?: number } = {}): Promise<World> => {
  const clock = new SteppedClock();
  const made: TestDatabase = await testDatabase('organization', { entities, clock, ...options });
  return {
    database: made.database,
    reports: made.database,
    url: made.url,
    ownerUrl: made.ownerUrl,
    outbox: keptOutbox('organization'),
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
    confirmationWindow: new ConfirmationWindow(0),
    erasureDelayMs: 60_000,
    mailer: noMailer,
    invitations: { days: 7, page: 'https://stanza.example.com/join' },
    rows: rowsIn(made.database),
    close: made.drop,
  };
};

/** Runs a statement with the rights of the tables' owner: the service's role changes no entry of the audit log. */
export const rowsAsOwner = async (
  { ownerUrl }: World,
  text: string,
  values: unknown[] = [],
): Promise<void> => {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query('set search_path = organization, public');
    await client.query(text, values);
  } finally {
    await client.end();
  }
};

/** The caller as given by a test. */
export interface Caller {
  organizationId: string;
  environment?: Environment;
  actor?: Principal['actor'];
  /** Default: a person without a membership. */
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

/** Runs an operation as the server would, for a principal and optionally the person of a session. */
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

/** Runs an internal operation as received over the wire: its input and its reply match their schemas. */
export const runInternal = <O extends InternalOperation>(
  handler: Handler<O>,
  input: unknown,
): Promise<ReplyOf<O>> => runInProcess(handler, input, newContext({ deadlineMs: 5_000 }));

/** Creates an organization that belongs to one test. */
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

/** An organization's account and the sum of its ledger. */
export const accountOf = async (world: World, organizationId: string) => {
  const [account] = await world.rows<{ balance: number; reserved: number; ledger: number; held: number }>(
    `select balance, reserved,
       (select coalesce(sum(amount), 0)::bigint from credit_log where organization_id = $1) as ledger,
       (select coalesce(sum(open_items), 0)::bigint from reservations where organization_id = $1) as held
     from credit_accounts
     where organization_id = $1`,
    [organizationId],
  );
  if (!account) throw new Error('the organization has no account');
  return account;
};

/** The notifications to gateways about changed keys, roles or memberships. */
export const accessChangedSubject = 'events.organization.access-changed';

/** Events waiting in the outbox for an organization. */
export const eventsOf = async (world: World, organizationId: string): Promise<string[]> => {
  const rows = await world.rows<{ subject: string }>(
    "select subject from outbox where payload ->> 'organization_id' = $1 order by id",
    [organizationId],
  );
  return rows.map((row) => row.subject);
};

/** The fields of an audit entry that tests check. */
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

/** The audit entries of an organization, oldest first, without its creation. */
export const auditOf = (world: World, organizationId: string): Promise<AuditLine[]> =>
  world.rows<AuditLine>(
    "select * from audit_log where organization_id = $1 and action <> 'organization.created' order by id",
    [organizationId],
  );
