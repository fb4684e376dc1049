import { defineService, eraseOrganizations, followAllowances, handlersFrom } from '@stanza/runtime';
import { settings } from './config.ts';
import * as operations from './operations/index.ts';
import { entities } from './store/entities.ts';
import { migrations } from './store/migrations/index.ts';

/** The template service. */
export const service = defineService({
  name: 'template',
  settings,
  entities,
  migrations,
  reports: { statementMs: 500 },
  async start(serviceContext) {
    const handlers = handlersFrom(operations, {
      ...serviceContext,
      allowances: followAllowances(serviceContext),
    });
    return { operations: [...handlers, eraseOrganizations('template', serviceContext)] };
  },
});
