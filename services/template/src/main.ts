import { eraseOrganizations, runService } from '@stanza/runtime';
import { settings } from './config.ts';
import { operations } from './operations/index.ts';
import { entities } from './store/entities.ts';
import { migrations } from './store/migrations/index.ts';

await runService({
  name: 'template',
  settings,
  entities,
  migrations,
  async start(serviceContext) {
    const consumers = [eraseOrganizations('template', serviceContext)];
    return { operations: operations({ ...serviceContext, consumers }), consumers };
  },
});
