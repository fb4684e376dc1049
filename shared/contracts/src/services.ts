/** The services of Stanza, in the order in which they start: each may call those before it. */
export const serviceNames = [
  'organization',
  'template',
  'compile',
  'delivery',
  'queue-ingest',
  'gateway',
] as const;

/** One of the services; also its NATS user and the second token of its RPC subjects. */
export type ServiceName = (typeof serviceNames)[number];

/** Everyone who may call an operation over NATS: the services, and the operator's command line. */
export type CallerName = ServiceName | 'admin';

/** The Postgres schema that a service owns; its role is `stanza_<schema>`. */
export const schemaOf = (service: ServiceName): string => service.replaceAll('-', '_');
