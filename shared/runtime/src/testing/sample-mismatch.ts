/** A service whose handlers are not those of its operations, run as a process by tests. */
import { z } from 'zod';
import { runServices } from '../process/run-services.ts';
import { defineService } from '../process/service.ts';
import { processSettings } from '../process/settings.ts';
import { handle } from '../rpc/handler.ts';
import { echo } from './rpc.ts';

const service = defineService({
  name: 'organization',
  settings: z.object(processSettings),
  database: false,
  declared: [{ ...echo, id: 'nothing-handles-this' }],
  start: async () => ({ operations: [handle(echo, async ({ input }) => input)] }),
});

await runServices([service]);
