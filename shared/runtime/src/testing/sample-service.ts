/** A service as small as can be, run as a process of its own by tests. */
import { z } from 'zod';
import { handle } from '../rpc/handler.ts';
import { runService } from '../service.ts';
import { commonSettings } from '../settings.ts';
import { echo } from './rpc.ts';

await runService({
  name: 'organization',
  settings: z.object({
    ...commonSettings,
    STANZA_GREETING: z.string().default('hello').describe('What it says'),
  }),
  start: async (kit) => {
    kit.onClose(async () => {
      kit.log.info('closing the sample');
    });
    return {
      operations: [
        handle(echo, async ({ input }) => {
          if (input === 'forget a rejection') void Promise.reject(new Error('forgotten'));
          if (input === 'throw later')
            setImmediate(() => {
              throw new Error('thrown later');
            });
          if (typeof input === 'number') await new Promise((resolve) => setTimeout(resolve, input));
          return kit.settings.STANZA_GREETING;
        }),
      ],
    };
  },
});
