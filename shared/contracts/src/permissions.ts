import { eventDeclarations, eventSubjectOf, hintSubjectOf } from './events.ts';
import { subjectOf } from './operation.ts';
import { operations } from './registry.ts';
import type { CallerName } from './services.ts';

/** Subjects that the NATS user of a process may publish and subscribe to; the server refuses all others. */
export interface NatsPermissions {
  publish: string[];
  subscribe: string[];
  /** May answer each request it receives once, at the inbox that the request names. */
  allowResponses: boolean;
}

/** The prefix of the inboxes of a user; no other user may subscribe below it. */
export const inboxPrefixOf = (user: CallerName): string => `_INBOX.${user}`;

/** The permissions of one NATS user, derived from who calls, publishes and subscribes what. */
export const natsPermissions = (user: CallerName): NatsPermissions => {
  const publish = operations.filter((it) => it.callers.includes(user)).map(subjectOf);
  const subscribe = [`${inboxPrefixOf(user)}.>`];
  if (user === 'admin') return { publish, subscribe, allowResponses: false };
  const published = eventDeclarations.filter((it) => it.producers.includes(user));
  const subscribed = eventDeclarations.filter((it) => it.consumers.includes(user));
  publish.push(...published.map(eventSubjectOf), hintSubjectOf(user));
  subscribe.push(`rpc.${user}.*`, hintSubjectOf(user), ...subscribed.map(eventSubjectOf));
  // A process of the previous version ends when it may not subscribe to reports of work done; nobody may publish them.
  subscribe.push(`done.${user}`);
  return { publish, subscribe, allowResponses: true };
};
