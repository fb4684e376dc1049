import { doneSubjectOf, eventStream, messageDeclarations, messageSubjectOf, workStreamOf } from './events.ts';
import { subjectOf } from './operation.ts';
import { operations } from './registry.ts';
import { type CallerName, type ServiceName, serviceNames } from './services.ts';

/** What the NATS user of a service may publish and subscribe to; everything else is refused by the server. */
export interface NatsPermissions {
  publish: string[];
  subscribe: string[];
  /** May answer each request it receives once, at the inbox that the request names. */
  allowResponses: boolean;
}

/** The prefix of the inboxes of a caller; no other user may subscribe below it. */
export const inboxPrefixOf = (caller: CallerName): string => `_INBOX.${caller}`;

/**
 * A service makes its own streams again when NATS has lost them. NATS limits the name of a stream that a user may
 * change, not the subjects that it gathers: a service that is taken over could gather subjects of others that way.
 * Where that matters, let an operator make the streams and take these three subjects away.
 */
const streamManagement = (stream: string): string[] => [
  `$JS.API.STREAM.INFO.${stream}`,
  `$JS.API.STREAM.CREATE.${stream}`,
  `$JS.API.STREAM.UPDATE.${stream}`,
];

const consumption = (stream: string): string[] => [
  `$JS.API.CONSUMER.CREATE.${stream}.>`,
  `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.>`,
  `$JS.API.CONSUMER.INFO.${stream}.>`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.>`,
  `$JS.ACK.${stream}.>`,
];

/** The permissions of one NATS user, derived from who calls, produces and consumes what. */
export const natsPermissions = (caller: CallerName): NatsPermissions => {
  const publish = operations.filter((it) => it.callers.includes(caller)).map(subjectOf);
  const subscribe = [`${inboxPrefixOf(caller)}.>`];
  if (caller === 'admin') return { publish, subscribe, allowResponses: false };
  return addServiceRights(caller, publish, subscribe);
};

const addServiceRights = (service: ServiceName, publish: string[], subscribe: string[]): NatsPermissions => {
  const produced = messageDeclarations.filter((it) => it.producers.includes(service));
  const worksFor = messageDeclarations.filter((it) => it.kind === 'work' && it.consumer === service);
  const hears = messageDeclarations.filter((it) => it.kind === 'event' && it.consumers.includes(service));
  publish.push('$JS.API.INFO', ...produced.map(messageSubjectOf));
  subscribe.push(`rpc.${service}.*`, ...hears.map(messageSubjectOf));
  if (produced.some((it) => it.kind === 'event')) publish.push(...streamManagement(eventStream));
  if (produced.some((it) => it.kind === 'work')) subscribe.push(doneSubjectOf(service));
  if (worksFor.length > 0) {
    const stream = workStreamOf(service);
    const producers = serviceNames.filter((name) => worksFor.some((it) => it.producers.includes(name)));
    publish.push(...streamManagement(stream), ...consumption(stream), ...producers.map(doneSubjectOf));
  }
  return { publish, subscribe, allowResponses: true };
};
