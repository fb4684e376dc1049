import {
  AckPolicy,
  type ConsumerConfig,
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  type StreamConfig,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import {
  eventStream,
  messageDeclarations,
  messageSubjectOf,
  type ServiceName,
  serviceNames,
  type WorkDeclaration,
  workStreamOf,
} from '@stanza/contracts';
import type { Broker } from '../nats/broker.ts';

const mebibyte = 1024 * 1024;
/**
 * The producer's outbox is the record and publishes again, so a stream need not keep unfetched messages; milliseconds.
 */
const workKeptMs = 15 * 60_000;
const eventsKeptMs = 5 * 60_000;
/** Milliseconds after which an unacknowledged message is delivered again. */
const ackWaitMs = 30_000;
/** Unacknowledged messages of a consumer over all replicas at most. */
const maxUnacknowledged = 1_000;

type WantedStream = Pick<
  StreamConfig,
  'name' | 'subjects' | 'retention' | 'discard' | 'max_age' | 'max_bytes' | 'num_replicas'
>;

/** Settings that no stream may have: they copy messages to or from elsewhere. */
const nothingElse = {
  republish: undefined,
  mirror: undefined,
  sources: undefined,
  subject_transform: undefined,
};

const workStream = (service: ServiceName, replicas: number): WantedStream => ({
  name: workStreamOf(service),
  subjects: [`work.${service}.>`],
  retention: RetentionPolicy.Workqueue,
  // A full stream refuses, and the work waits in its outbox.
  discard: DiscardPolicy.New,
  max_age: nanos(workKeptMs),
  max_bytes: 256 * mebibyte,
  num_replicas: replicas,
});

const eventsStream = (replicas: number): WantedStream => ({
  name: eventStream,
  subjects: ['events.>'],
  retention: RetentionPolicy.Limits,
  discard: DiscardPolicy.Old,
  max_age: nanos(eventsKeptMs),
  max_bytes: 64 * mebibyte,
  num_replicas: replicas,
});

const differs = (wanted: WantedStream, found: StreamConfig): boolean =>
  wanted.max_age !== found.max_age ||
  wanted.max_bytes !== found.max_bytes ||
  wanted.num_replicas !== found.num_replicas ||
  wanted.discard !== found.discard ||
  String(wanted.subjects) !== String(found.subjects) ||
  (found.republish ?? found.mirror ?? found.sources ?? found.subject_transform) !== undefined;

const ensureStream = async (manager: JetStreamManager, wanted: WantedStream): Promise<void> => {
  try {
    const found = await manager.streams.info(wanted.name);
    if (differs(wanted, found.config))
      await manager.streams.update(wanted.name, { ...nothingElse, ...wanted });
  } catch (err) {
    if (!(err instanceof JetStreamApiError) || err.code !== JetStreamApiCodes.StreamNotFound) throw err;
    await manager.streams.add(wanted);
  }
};

type WantedConsumer = Required<
  Pick<
    ConsumerConfig,
    'durable_name' | 'filter_subjects' | 'ack_policy' | 'ack_wait' | 'max_deliver' | 'max_ack_pending'
  >
>;

const consumerOf = (declaration: WorkDeclaration): WantedConsumer => ({
  durable_name: declaration.name,
  // The previous version publishes to the subject itself; this one publishes each piece of work to a subject below
  // it.
  filter_subjects: [messageSubjectOf(declaration), `${messageSubjectOf(declaration)}.*`],
  ack_policy: AckPolicy.Explicit,
  ack_wait: nanos(ackWaitMs),
  max_deliver: -1,
  max_ack_pending: maxUnacknowledged,
});

const isAsWanted = (wanted: WantedConsumer, found: ConsumerConfig): boolean =>
  String(wanted.filter_subjects) === String(found.filter_subjects) &&
  wanted.ack_policy === found.ack_policy &&
  wanted.ack_wait === found.ack_wait &&
  wanted.max_deliver === found.max_deliver &&
  wanted.max_ack_pending === found.max_ack_pending;

/**
 * Creates or corrects the consumers of a stream, and deletes push consumers: the services pull, and a push consumer could
 * call an operation. Where all is as wanted it only reads: to write a consumer again costs NATS more than to list them.
 */
const ensureConsumers = async (
  manager: JetStreamManager,
  stream: string,
  wanted: readonly WantedConsumer[],
): Promise<void> => {
  const found = new Map<string, ConsumerConfig>();
  for await (const { name, config } of manager.consumers.list(stream)) {
    if (config.deliver_subject === undefined) found.set(name, config);
    else await manager.consumers.delete(stream, name);
  }
  for (const one of wanted) {
    const known = found.get(one.durable_name);
    if (!known) await manager.consumers.add(stream, one);
    else if (!isAsWanted(one, known)) await manager.consumers.update(stream, one.durable_name, one);
  }
};

/** Timeout of requests to JetStream, milliseconds; a request sent as the broker died waits this long. */
export const apiTimeoutMs = 2_000;

/** The JetStream manager, which creates and reads streams and consumers. */
export const managerOf = (broker: Broker): Promise<JetStreamManager> =>
  jetstreamManager(broker.nats, { checkAPI: false, timeout: apiTimeoutMs });

/**
 * Creates or corrects every stream and every consumer of the services. Only the user `streams` may.
 * @param replicas copies of each stream
 */
export const ensureStreams = async (broker: Broker, replicas: number): Promise<void> => {
  const manager = await managerOf(broker);
  await ensureStream(manager, eventsStream(replicas));
  await ensureConsumers(manager, eventStream, []);
  for (const service of serviceNames) {
    const work = messageDeclarations
      .filter((it) => it.kind === 'work')
      .filter((it) => it.consumer === service);
    if (work.length === 0) continue;
    await ensureStream(manager, workStream(service, replicas));
    await ensureConsumers(manager, workStreamOf(service), work.map(consumerOf));
  }
};
