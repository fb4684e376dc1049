import type { ServiceName } from '@stanza/contracts';

/** Loads the settings of each service: one zod object whose keys are the names of the variables. */
export const settingsModules = {
  organization: () => import('@stanza/organization/config'),
  template: () => import('@stanza/template/config'),
  compile: () => import('@stanza/compile/config'),
  delivery: () => import('@stanza/delivery/config'),
  'queue-ingest': () => import('@stanza/queue-ingest/config'),
  gateway: () => import('@stanza/gateway/config'),
} satisfies Record<ServiceName, unknown>;

/** Loads the migrations of each service, oldest first. */
export const migrationModules = {
  organization: () => import('@stanza/organization/migrations'),
  template: () => import('@stanza/template/migrations'),
  compile: () => import('@stanza/compile/migrations'),
  delivery: () => import('@stanza/delivery/migrations'),
  'queue-ingest': () => import('@stanza/queue-ingest/migrations'),
  gateway: () => import('@stanza/gateway/migrations'),
} satisfies Record<ServiceName, unknown>;
