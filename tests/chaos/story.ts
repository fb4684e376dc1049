import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServiceName, serviceNames } from '@stanza/contracts';
import { type Stack, startStack, waitUntil } from '@stanza/local';
import { type LocalCluster, startCluster } from '../cluster/cluster.ts';
import { type Receiver, startReceiver } from '../kit/receiver.ts';
import { openWorld, type World } from '../kit/stack.ts';
import { Auditor } from './auditor.ts';
import { makeBuilds } from './builds.ts';
import { calmDown, whenAnswering } from './calm.ts';
import { Clocks } from './clocks.ts';
import { makeCustomers } from './customers.ts';
import { checkout, copyWithEdits } from './edits.ts';
import { type Evidence, markersIn, readTables } from './evidence.ts';
import type { Fault } from './fault.ts';
import { Follower } from './follower.ts';
import { Freezer } from './freezer.ts';
import { type DoneFault, injectAll } from './inject.ts';
import { checkInvariants, type Verdict } from './invariants.ts';
import { Ledger } from './ledger.ts';
import { Load } from './load.ts';
import { Network } from './network.ts';
import { type Plant, plantInDatabase } from './plant.ts';
import { SeededRandom } from './random.ts';
import { processNames, replicas } from './schedule.ts';

/** A run of chaos. */
export interface StoryOptions {
  seed: number;
  faults: readonly Fault[];
  /** How long all work may take to come to rest after the last fault. */
  restMs: number;
  /** True to break a cluster: three NATS servers, a primary with its standby, and pgbouncer. */
  isCluster: boolean;
  /** A bug to put in first. */
  plant?: Plant;
  /** Hears what goes on. */
  tell: (line: string) => void;
  tellFault: (fault: Fault) => void;
}

/** What came of a run. */
export interface StoryEnd {
  faults: readonly DoneFault[];
  verdicts: Verdict[];
  /** The stack's folder with all logs; kept when something is broken. */
  directory: string;
}

/**
 * Milliseconds after the last fault in which everything must be ready: 15 s, and on a slow machine twice what the whole
 * stack took to start at rest, up to 45 s. The last faults of a run may have half of it start again, with new
 * connections to a Postgres that starts as well, under load.
 */
const recoveryLimitAfter = (startMs: number): number =>
  Math.min(Math.max(15_000, Math.round(2 * startMs)), 45_000);

const tiers = JSON.stringify({ enterprise: { active_queues: 10, events_per_day: 1_000_000_000 } });

/** Everything of a run that has to be ended. */
interface Stage {
  directory: string;
  network: Network;
  clocks: Clocks;
  receiver: Receiver;
  stack: Stack;
  world: World;
  cluster?: LocalCluster;
  /** Milliseconds that the stack took to start. */
  startMs: number;
}

/** The services of the checkout, or of a copy with the bug. */
const treeFor = async (directory: string, { edits }: Plant): Promise<string> => {
  if (edits === undefined) return checkout;
  const copy = join(directory, 'copy');
  await copyWithEdits(copy, edits);
  return copy;
};

const setStage = async (
  directory: string,
  network: Network,
  receiver: Receiver,
  { plant: bug, isCluster }: Pick<StoryOptions, 'plant' | 'isCluster'>,
): Promise<Stage> => {
  const clocks = new Clocks(join(directory, 'clocks'), processNames);
  const tree = bug ? await treeFor(directory, bug) : checkout;
  const each = Object.fromEntries(serviceNames.map((name): [ServiceName, number] => [name, replicas]));
  const builds = await makeBuilds({ folder: join(directory, 'entries'), tree, clocks });
  const begun = performance.now();
  const took = (): number => performance.now() - begun;
  const common = { directory, builds, detour: network.detour, env: { STANZA_TIERS: tiers } };
  if (isCluster) {
    const cluster = await startCluster(common);
    const { stack, world } = cluster;
    return { directory, network, clocks, receiver, cluster, stack, world, startMs: took() };
  }
  const stack = await startStack({ ...common, seed: false, replicas: each });
  const startMs = took();
  const world = await openWorld(stack.info);
  // A connection that waits in the pool hears of a restart by itself; the next query opens another.
  world.database.on('error', (error) => console.error(`The books' connection broke: ${error.message}`));
  return { directory, network, clocks, receiver, stack, world, startMs };
};

const breakThings = async (stage: Stage, options: StoryOptions): Promise<DoneFault[]> => {
  const { stack, cluster, network, clocks, receiver, world } = stage;
  const { sandbox } = world;
  const victim = { stack, cluster, network, clocks, receiver, sandbox, freezer: new Freezer(stack) };
  return injectAll(victim, options.faults, options.tellFault);
};

const play = async (stage: Stage, options: StoryOptions): Promise<Evidence> => {
  const { stack, world, receiver } = stage;
  const { all: customers, prober } = await makeCustomers(world, stack.baseUrls, receiver.url);
  const ids = customers.map((it) => it.id);
  if (options.plant) await plantInDatabase(world.database, options.plant);
  const ledger = new Ledger();
  const load = new Load(customers, ledger, new SeededRandom(options.seed + 1));
  const [watched] = customers;
  if (watched === undefined) throw new Error('a run has customers');
  const follower = new Follower(watched.clients[0]);
  const auditor = new Auditor(customers.map(({ apis }) => apis[0]));
  load.start();
  const shown = (done: () => boolean) => waitUntil(done, { timeoutMs: 20_000, everyMs: 200 });
  await follower.begun(shown);
  const faults = await breakThings(stage, options);
  options.tell('faults ended; waiting until all processes are ready');
  const recoveryLimitMs = recoveryLimitAfter(stage.startMs);
  const recovery = await whenAnswering(stage, prober, recoveryLimitMs);
  await load.stop();
  options.tell(`ready after ${Math.round(recovery.recoveryMs)} ms; waiting until all work has come to rest`);
  const unrest = await calmDown(stage, customers, ledger, options.restMs);
  const posts = await world.sandbox.allMessages();
  const markersOf = new Map(posts.map((post) => [post, markersIn(JSON.stringify(post.blocks))]));
  const { written, ...tables } = await readTables(world.database, ids);
  const ofWatched = tables.messages.filter((it) => it.organization_id === watched.id);
  await follower.end(new Map(ofWatched.map(({ id, status }) => [id, status])), shown);
  await auditor.end(
    written.map(({ id }) => id),
    shown,
  );
  const audited = { written, exported: auditor.exported };
  const followed = { organization: watched.id, seen: follower.seen };
  const seen = { ledger, faults, posts, markersOf, receiver, followed, audited };
  return { ...seen, ...tables, unrest, ...recovery, recoveryLimitMs };
};

/** Whether the invariant that has to notice a bug did. */
export const isNoticed = ({ noticedBy }: Plant, verdicts: readonly Verdict[]): boolean =>
  (verdicts[noticedBy - 1]?.broken.length ?? 0) > 0;

/** Starts a stack of its own, breaks it while clients are at work, and checks what is left. */
export const runStory = async (options: StoryOptions): Promise<StoryEnd> => {
  const directory = await mkdtemp(join(tmpdir(), 'stanza-chaos-'));
  const network = new Network();
  const receiver = await startReceiver();
  let stage: Stage | undefined;
  let verdicts: Verdict[] = [];
  try {
    options.tell(`starting two of each service in ${directory}`);
    stage = await setStage(directory, network, receiver, options);
    const evidence = await play(stage, options);
    verdicts = checkInvariants(evidence);
    return { faults: evidence.faults, verdicts, directory };
  } finally {
    if (stage?.cluster) await stage.cluster.close();
    else {
      await stage?.world.close();
      await stage?.stack.stop();
    }
    await network.close();
    await receiver.close();
    const holds = verdicts.length > 0 && verdicts.every((it) => it.broken.length === 0);
    // The logs are kept of what came unexpected: a promise that was broken, and a bug that was not noticed.
    const { plant } = options;
    if (plant ? isNoticed(plant, verdicts) : holds) await rm(directory, { recursive: true, force: true });
  }
};
