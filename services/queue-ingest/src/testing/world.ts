import {
  CodedError,
  checkDestination,
  type createQueue as createQueueOperation,
  defaultTiers,
  type Environment,
  type InputOf,
  type Operation,
  type Principal,
  type ReplyOf,
  resolveLiveVersions,
  scopesOfRole,
  type Tier,
} from '@stanza/contracts';
import {
  type AnyHandler,
  type CallContext,
  type Clock,
  createMetrics,
  createOutbox,
  type Database,
  type Handler,
  handle,
  newContext,
  newId,
  noTracing,
  statement,
} from '@stanza/runtime';
import { inProcessRpc, runInProcess, testDatabase } from '@stanza/test-kit/database';
import type { Dependencies } from '../dependencies.ts';
import { createQueue } from '../operations/create-queue.ts';
import { type PushDependencies, pushEvents } from '../operations/push-events.ts';
import { entities } from '../store/entities.ts';
import { makeEventPartition } from '../store/partitions.ts';

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
  pass(seconds: number): void {
    this.#now += seconds * 1_000;
  }
}

/** The parts of the service on a database of its own, with a clock that the test holds. */
export interface World extends Dependencies {
  clock: SteppedClock;
  /** What organizations have, where it is not the tier `pro`. */
  tierOf: Map<string, Tier>;
  /** Templates that there are not. */
  missingTemplates: Set<string>;
  /** The destinations that there are. */
  destinations: Set<string>;
  rows: <Row extends object>(text: string, values?: readonly unknown[]) => Promise<Row[]>;
  url: string;
  ownerUrl: string;
  close: () => Promise<void>;
}

/** The parts with another database: one that breaks, for instance. */
export const partsOn = (world: World, database: Database): World => ({ ...world, database });

const templates = (missing: Set<string>): AnyHandler =>
  handle(resolveLiveVersions, async ({ input }) => ({
    versions: input.templates.map(({ template_id }) =>
      missing.has(template_id)
        ? { found: false as const, code: 'template_not_found' as const }
        : { found: false as const, code: 'version_not_found' as const },
    ),
  }));

const destinationsIn = (there: Set<string>): AnyHandler =>
  handle(checkDestination, async ({ input: { destination_id: id } }) => {
    if (!there.has(id)) throw new CodedError('not_found');
    return { id, name: 'Tickets', is_active: true };
  });

/** Opens a world. */
export const openWorld = async (options: { pool?: number } = {}): Promise<World> => {
  const clock = new SteppedClock();
  const made = await testDatabase('queue-ingest', { entities, clock, ...options });
  const tierOf = new Map<string, Tier>();
  const missingTemplates = new Set<string>();
  const destinations = new Set<string>();
  for (const day of [21, 22, 23, 24]) await makeEventPartition(made.database, `2026-11-${day}`);
  let texts = 0;
  return {
    database: made.database,
    tracing: noTracing,
    outbox: createOutbox({ service: 'queue-ingest', tracing: noTracing, poke: () => undefined }),
    rpc: inProcessRpc([templates(missingTemplates), destinationsIn(destinations)]),
    clock,
    metrics: createMetrics({ service: 'queue-ingest', processMetrics: false }),
    tiers: { of: async (organizationId) => tierOf.get(organizationId) ?? defaultTiers.pro },
    tierOf,
    missingTemplates,
    destinations,
    rows: <Row extends object>(text: string, values: readonly unknown[] = []) => {
      texts += 1;
      return made.database.query(statement<Row>(`test-${texts}`, text), values);
    },
    url: made.url,
    ownerUrl: made.ownerUrl,
    close: made.drop,
  };
};

/** Somebody of an organization of their own. */
export const somebody = (
  options: { organizationId?: string; environment?: Environment } = {},
): Principal => ({
  organization_id: options.organizationId ?? newId(),
  environment: options.environment ?? 'production',
  actor: { type: 'api_key', id: newId(), user_id: newId() },
  role: 'owner',
  scopes: [...scopesOfRole('owner')],
});

/** Runs an operation as it comes over the wire. */
export const ask = <O extends Operation>(
  handler: Handler<O>,
  input: InputOf<O>,
  principal: Principal,
  context: CallContext = newContext({ deadlineMs: 5_000, principal }),
): Promise<ReplyOf<O>> => runInProcess(handler, input, context);

/** A policy that closes its batch a minute after the last event. */
export const rolling = {
  name: 'Digest',
  mode: 'rolling_window',
  window_seconds: 60,
  max_window_seconds: 300,
  template_id: '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f',
  channel_id: 'C0DEPLOYS',
} as const;

/** A policy that closes its batch at three events. */
export const byThree = {
  name: 'By three',
  mode: 'fixed_volume',
  threshold: 3,
  template_id: rolling.template_id,
  channel_id: 'C0DEPLOYS',
} as const;

/** Creates a queue. */
export const newQueue = (
  world: Dependencies,
  principal: Principal,
  body: InputOf<typeof createQueueOperation>['body'],
) => ask(createQueue(world), { params: undefined, query: undefined, body }, principal);

/** Pushes events, as another replica of the service each time it is made. */
export const pusher = (dependencies: PushDependencies) => {
  const handler = pushEvents(dependencies);
  return async (principal: Principal, queueId: string, events: object[], operationId: string = newId()) => {
    const context = { ...newContext({ deadlineMs: 5_000, principal }), operationId };
    const input = {
      params: { id: queueId },
      query: undefined,
      body: { events: events.map((event) => ({ ...event })) },
    };
    const { window_end, ...pushed } = await ask(handler, input, principal, context);
    return { ...pushed, window_end: new Date(window_end) };
  };
};
