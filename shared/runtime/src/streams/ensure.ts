import {
  AckPolicy,
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
  messageSubjectOf,
  type ServiceName,
  type WorkDeclaration,
  workStreamOf,
} from '@stanza/contracts';
import type { Broker } from '../nats/broker.ts';

const mebibyte = 1024 * 1024;
/** The producer's outbox is the record and publishes again, so a stream need not keep what nobody fetches. */
const workKeptMs = 15 * 60_000;
const eventsKeptMs = 5 * 60_000;
/** How long a delivered message may go unacknowledged before it is delivered again. */
const ackWaitMs = 30_000;
/** Messages of a consumer that may be unacknowledged over all replicas. */
const maxUnacknowledged = 1_000;

type WantedStream = Pick<
  StreamConfig,
  'name' | 'subjects' | 'retention' | 'discard' | 'max_age' | 'max_bytes' | 'num_replicas'
>;

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
  String(wanted.subjects) !== String(found.subjects);

const ensureStream = async (manager: JetStreamManager, wanted: WantedStream): Promise<void> => {
  try {
    const found = await manager.streams.info(wanted.name);
    if (differs(wanted, found.config)) await manager.streams.update(wanted.name, wanted);
  } catch (err) {
    if (!(err instanceof JetStreamApiError) || err.code !== JetStreamApiCodes.StreamNotFound) throw err;
    await manager.streams.add(wanted);
  }
};

/** Milliseconds that JetStream may take to answer; a question that was asked when the broker died waits so long. */
export const apiTimeoutMs = 2_000;

/** The interface through which streams and consumers are made. */
export const managerOf = (broker: Broker): Promise<JetStreamManager> =>
  jetstreamManager(broker.nats, { checkAPI: false, timeout: apiTimeoutMs });

/** Creates or corrects the stream of all events. */
export const ensureEventStream = async (broker: Broker, replicas: number): Promise<void> =>
  ensureStream(await managerOf(broker), eventsStream(replicas));

/** Creates or corrects the stream of a service's work and the durable consumer of one kind of it. */
export const ensureWorkConsumer = async (
  broker: Broker,
  declaration: WorkDeclaration,
  replicas: number,
): Promise<void> => {
  const manager = await managerOf(broker);
  await ensureStream(manager, workStream(declaration.consumer, replicas));
  await manager.consumers.add(workStreamOf(declaration.consumer), {
    durable_name: declaration.name,
    filter_subject: messageSubjectOf(declaration),
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ackWaitMs),
    max_deliver: -1,
    max_ack_pending: maxUnacknowledged,
  });
};
