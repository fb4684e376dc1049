import { eraseOrganizations, runService } from '@stanza/runtime';
import { settings } from './config.ts';
import { operations } from './operations/index.ts';
import { entities } from './store/entities.ts';

await runService({
  name: 'template',
  settings,
  entities,
  async start(kit) {
    return { operations: operations(kit), consumers: [eraseOrganizations('template', kit)] };
  },
});
