import {
  doneSubjectOf,
  eventStream,
  hintSubjectOf,
  messageDeclarations,
  messageSubjectOf,
  workStreamOf,
} from './events.ts';
import { subjectOf } from './operation.ts';
import { operations } from './registry.ts';
import { type NatsUser, type ServiceName, serviceNames, streamKeeper } from './services.ts';

/** Subjects that the NATS user of a process may publish and subscribe to; the server refuses all others. */
export interface NatsPermissions {
  publish: string[];
  subscribe: string[];
  /** May answer each request it receives once, at the inbox that the request names. */
  allowResponses: boolean;
}

/** The prefix of the inboxes of a user; no other user may subscribe below it. */
export const inboxPrefixOf = (user: NatsUser): string => `_INBOX.${user}`;

/** Fetching and acknowledging the work of one durable consumer, which exists already. */
const consumption = (stream: string, consumer: string): string[] => [
  `$JS.API.CONSUMER.INFO.${stream}.${consumer}`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`,
  `$JS.ACK.${stream}.${consumer}.>`,
];

/**
 * NATS limits the name of a stream that a user may change, but not the subjects that the stream captures or republishes
 * to, nor where a consumer delivers. A user who makes streams and consumers can thus read and call everything, and only
 * one user has that right.
 */
const management = (stream: string): string[] => [
  `$JS.API.STREAM.INFO.${stream}`,
  `$JS.API.STREAM.CREATE.${stream}`,
  `$JS.API.STREAM.UPDATE.${stream}`,
  `$JS.API.CONSUMER.LIST.${stream}`,
  `$JS.API.CONSUMER.DELETE.${stream}.*`,
  `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.*`,
  `$JS.API.CONSUMER.INFO.${stream}.*`,
];

/** Every stream of the services: that of the events, and one for each service that is given work. */
export const streamNames: readonly string[] = [
  eventStream,
  ...serviceNames
    .filter((service) => messageDeclarations.some((it) => it.kind === 'work' && it.consumer === service))
    .map(workStreamOf),
];

/** The permissions of one NATS user, derived from who calls, produces and consumes what. */
export const natsPermissions = (user: NatsUser): NatsPermissions => {
  const subscribe = [`${inboxPrefixOf(user)}.>`];
  if (user === streamKeeper) {
    return { publish: streamNames.flatMap(management), subscribe, allowResponses: false };
  }
  const publish = operations.filter((it) => it.callers.includes(user)).map(subjectOf);
  if (user === 'admin') return { publish, subscribe, allowResponses: false };
  return addServiceRights(user, publish, subscribe);
};

const addServiceRights = (service: ServiceName, publish: string[], subscribe: string[]): NatsPermissions => {
  const produced = messageDeclarations.filter((it) => it.producers.includes(service));
  const worksFor = messageDeclarations.filter((it) => it.kind === 'work' && it.consumer === service);
  const hears = messageDeclarations.filter((it) => it.kind === 'event' && it.consumers.includes(service));
  publish.push(...produced.map(messageSubjectOf));
  // Each piece of work has a subject of its own; the previous version publishes to the one above them.
  publish.push(...produced.filter((it) => it.kind === 'work').map((it) => `${messageSubjectOf(it)}.*`));
  publish.push(hintSubjectOf(service));
  subscribe.push(`rpc.${service}.*`, hintSubjectOf(service), ...hears.map(messageSubjectOf));
  if (produced.some((it) => it.kind === 'work')) subscribe.push(doneSubjectOf(service));
  // Processes of the previous version read the stream's info before they publish an event; it holds no messages.
  if (produced.some((it) => it.kind === 'event')) publish.push(`$JS.API.STREAM.INFO.${eventStream}`);
  const producers = serviceNames.filter((name) => worksFor.some((it) => it.producers.includes(name)));
  const stream = workStreamOf(service);
  publish.push(...worksFor.flatMap((it) => consumption(stream, it.name)), ...producers.map(doneSubjectOf));
  return { publish, subscribe, allowResponses: true };
};
