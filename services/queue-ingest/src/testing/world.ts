import {
  CodedError,
  checkDestination,
  type createQueue as createQueueOperation,
  defaultTiers,
  type InputOf,
  type Principal,
  resolveLiveVersions,
  type Tier,
} from '@stanza/contracts';
import {
  type AnyHandler,
  createMetrics,
  type Database,
  handle,
  newContext,
  newId,
  noTracing,
} from '@stanza/runtime';
import { inProcessRpc, testDatabase } from '@stanza/test-kit/database';
import { ask, keptOutbox, type Rows, rowsIn, SteppedClock } from '@stanza/test-kit/service-world';
import type { PushDependencies } from '../answer-pushes.ts';
import type { Dependencies } from '../dependencies.ts';
import { createQueue } from '../operations/create-queue.ts';
import { getBatch } from '../operations/get-batch.ts';
import { pushEvents } from '../operations/push-events.ts';
import { entities } from '../store/entities.ts';
import { dailyTables, makePartitionOf } from '../store/partitions.ts';

/** The parts of the service on a database of its own, with a clock that the test controls. */
export interface World extends Dependencies {
  clock: SteppedClock;
  /** The organizations' tier, if not `pro`. */
  tierOf: Map<string, Tier>;
  /** Unknown templates. */
  missingTemplates: Set<string>;
  /** Existing destinations. */
  destinations: Set<string>;
  rows: Rows;
  url: string;
  ownerUrl: string;
  close: () => Promise<void>;
}

/** The parts with another database, such as one that fails. */
export const dependenciesOn = (world: World, database: Database): World => ({ ...world, database });

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
    if (id === undefined || !there.has(id)) throw new CodedError('not_found');
    return { id, name: 'Tickets', is_active: true };
  });

/** Opens a world. */
export const openWorld = async (options: { pool?: number } = {}): Promise<World> => {
  const clock = new SteppedClock();
  const made = await testDatabase('queue-ingest', { entities, clock, ...options });
  const tierOf = new Map<string, Tier>();
  const missingTemplates = new Set<string>();
  const destinations = new Set<string>();
  for (const table of dailyTables)
    for (const day of [21, 22, 23, 24]) await makePartitionOf(table, made.database, `2026-11-${day}`);
  return {
    database: made.database,
    tracing: noTracing,
    outbox: keptOutbox('queue-ingest'),
    rpc: inProcessRpc([templates(missingTemplates), destinationsIn(destinations)]),
    clock,
    metrics: createMetrics({ service: 'queue-ingest', processMetrics: false }),
    tiers: { of: async (organizationId) => tierOf.get(organizationId) ?? defaultTiers.pro },
    tierOf,
    missingTemplates,
    destinations,
    rows: rowsIn(made.database),
    url: made.url,
    ownerUrl: made.ownerUrl,
    close: made.drop,
  };
};

export { ask, somebody } from '@stanza/test-kit/service-world';

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

/** Reads a batch with a page of its events, as the API shows it. */
export const readBatch = (
  world: Dependencies,
  principal: Principal,
  { queueId, batchId }: { queueId: string; batchId: string },
  page: { limit: number; offset: number } = { limit: 20, offset: 0 },
) =>
  ask(
    getBatch(world),
    { params: { id: queueId, batch_id: batchId }, query: page, body: undefined },
    principal,
  );

/** Pushes events, as a new replica of the service at each call. */
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
