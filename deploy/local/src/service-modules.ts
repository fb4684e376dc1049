import { type ServiceName, serviceNames } from '@stanza/contracts';
import { StackFailure } from './failure.ts';

/** Loads each service, to run it. */
export const serviceModules = {
  organization: () => import('@stanza/organization/service'),
  template: () => import('@stanza/template/service'),
  compile: () => import('@stanza/compile/service'),
  delivery: () => import('@stanza/delivery/service'),
  'queue-ingest': () => import('@stanza/queue-ingest/service'),
  gateway: () => import('@stanza/gateway/service'),
} satisfies Record<ServiceName, unknown>;

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

/**
 * The services of a list of names, separated by commas; `all` stands for every one.
 * @throws StackFailure when it names none, or something else
 */
export const servicesOf = (list: string): readonly ServiceName[] => {
  const words = list.split(',').flatMap((word) => word.trim() || []);
  const unknown = words.filter((word) => word !== 'all' && !serviceNames.some((name) => name === word));
  if (words.length > 0 && unknown.length === 0)
    return serviceNames.filter((name) => words.includes('all') || words.includes(name));
  throw new StackFailure(
    unknown.length > 0
      ? `STANZA_SERVICES: ${unknown.join(', ')} is no service.`
      : 'STANZA_SERVICES is required.',
    `Set it to "all", or to some of ${serviceNames.join(', ')}, separated by commas.`,
  );
};
