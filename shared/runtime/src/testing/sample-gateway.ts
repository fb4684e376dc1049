/** A service without a database, run as a process of its own by tests. */
import { z } from 'zod';
import { MisuseError } from '../invariant.ts';
import { runService } from '../process/service.ts';
import { processSettings } from '../process/settings.ts';

await runService({
  name: 'gateway',
  settings: z.object(processSettings),
  database: false,
  start: async (kit) => {
    try {
      kit.log.error({ reason: typeof kit.database }, 'there is a database');
    } catch (err) {
      if (err instanceof MisuseError) kit.log.info({ reason: err.message }, 'there is no database');
    }
    await kit.tracing.span('a span', {}, async () => undefined);
    return { operations: [] };
  },
});
