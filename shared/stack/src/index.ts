export { StackFailure } from './failure.ts';
export { sandboxIdentity } from './identity.ts';
export type { DemoOrganization, StackInfo } from './info.ts';
export { type NatsOptions, startNats } from './nats/start.ts';
export { freePorts } from './ports.ts';
export { type PostgresOptions, startPostgres } from './postgres/start.ts';
export type { Replicas } from './services.ts';
export { type Stack, type StackOptions, startStack } from './stack.ts';
export { waitUntil } from './wait.ts';
