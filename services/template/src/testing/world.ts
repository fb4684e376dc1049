import {
  type AuditEntry,
  auditEntrySchema,
  type Environment,
  type InputOf,
  type Operation,
  type Principal,
  type ReplyOf,
  scopesOfRole,
} from '@stanza/contracts';
import {
  type AnyHandler,
  type CallContext,
  type Clock,
  createOutbox,
  type Handler,
  newContext,
  newId,
  noTracing,
  statement,
} from '@stanza/runtime';
import { type InProcessRpc, inProcessRpc, runInProcess, testDatabase } from '@stanza/test-kit/database';
import type { Dependencies } from '../dependencies.ts';
import { createTemplate } from '../operations/create-template.ts';
import { entities } from '../store/entities.ts';

/** A clock that goes on a second each time it is read. */
const tickingClock = (): Clock => {
  let now = Date.parse('2026-11-21T08:00:00.000Z');
  const tick = () => {
    now += 1_000;
    return now;
  };
  return { now: () => new Date(tick()), monotonic: tick };
};

/** The parts of the service on a database of its own. */
export interface World extends Dependencies {
  rpc: InProcessRpc;
  /** For statements of the test's own. */
  rows: <Row extends object>(text: string, values?: readonly unknown[]) => Promise<Row[]>;
  url: string;
  ownerUrl: string;
  close: () => Promise<void>;
}

/** Opens a world in which the handlers given answer for other services. */
export const openWorld = async (others: readonly AnyHandler[] = []): Promise<World> => {
  const made = await testDatabase('template', { entities });
  let texts = 0;
  return {
    database: made.database,
    url: made.url,
    ownerUrl: made.ownerUrl,
    outbox: createOutbox({ service: 'template', tracing: noTracing, poke: () => undefined }),
    rpc: inProcessRpc(others),
    clock: tickingClock(),
    rows: <Row extends object>(text: string, values: readonly unknown[] = []) => {
      texts += 1;
      return made.database.query(statement<Row>(`test-${texts}`, text), values);
    },
    close: made.drop,
  };
};

/** Somebody of an organization of their own. */
export const somebody = (
  options: { organizationId?: string; environment?: Environment; actor?: Principal['actor'] } = {},
): Principal => ({
  organization_id: options.organizationId ?? newId(),
  environment: options.environment ?? 'production',
  actor: options.actor ?? { type: 'api_key', id: newId(), user_id: newId() },
  role: 'owner',
  scopes: [...scopesOfRole('owner')],
});

/** Runs an operation as it comes over the wire. */
export const ask = <O extends Operation>(
  handler: Handler<O>,
  input: InputOf<O>,
  principal?: Principal,
  context: CallContext = newContext({ deadlineMs: 5_000, ...(principal && { principal }) }),
): Promise<ReplyOf<O>> => runInProcess(handler, input, context);

/** A message that reads one value. */
export const greeting = [{ type: 'section', text: { type: 'mrkdwn', text: 'Hello {{name}}' } }];

/** Creates a template with one version. */
export const newTemplate = (world: World, principal: Principal, body: object = {}) =>
  ask(
    createTemplate(world),
    {
      params: undefined,
      query: undefined,
      body: { name: 'Greeting', type: 'message', blocks: greeting, ...body },
    },
    principal,
  );

/** What is on its way to the audit log of an organization, in the order in which it happened. */
export const recordedAudit = async (world: World, { organization_id }: Principal): Promise<AuditEntry[]> => {
  const rows = await world.rows<{ payload: unknown }>(
    `select payload
     from outbox
     where subject = 'work.organization.record-audit'
       and payload ->> 'organization_id' = $1
     order by id`,
    [organization_id],
  );
  return rows.map((row) => auditEntrySchema.parse(row.payload));
};

/** Everybody to whom what is somebody's must not exist: another organization, and their own other environment. */
export const strangersTo = (principal: Principal): Principal[] => [
  somebody(),
  { ...principal, environment: principal.environment === 'production' ? 'preview' : 'production' },
];
