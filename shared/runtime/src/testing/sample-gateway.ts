/** A service without a database, run as a process by tests. */
import { z } from 'zod';
import { InvariantError } from '../invariant.ts';
import { runServices } from '../process/run-services.ts';
import { defineService } from '../process/service.ts';
import { processSettings } from '../process/settings.ts';

const service = defineService({
  name: 'gateway',
  settings: z.object(processSettings),
  database: false,
  declared: [],
  start: async (serviceContext) => {
    try {
      serviceContext.log.error({ reason: typeof serviceContext.database }, 'there is a database');
    } catch (err) {
      if (err instanceof InvariantError)
        serviceContext.log.info({ reason: err.message }, 'there is no database');
    }
    await serviceContext.tracing.span('a span', {}, async () => undefined);
    return { operations: [] };
  },
});

await runServices([service]);
