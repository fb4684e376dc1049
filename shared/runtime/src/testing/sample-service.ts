/** A minimal service, run as a process by tests. */
import { listDeadLetters, resolveDeadLetter } from '@stanza/contracts';
import { z } from 'zod';
import { runServices } from '../process/run-services.ts';
import { defineService } from '../process/service.ts';
import { commonSettings } from '../process/settings.ts';
import { handle } from '../rpc/handler.ts';
import { echo } from './rpc.ts';

const service = defineService({
  name: 'organization',
  settings: z.object({
    ...commonSettings,
    STANZA_GREETING: z.string().default('hello').describe('The text of its greeting'),
    STANZA_LEAVE_MS: z.coerce.number().default(0).describe('Milliseconds of its leave'),
  }),
  declared: [echo, listDeadLetters.organization, resolveDeadLetter.organization],
  start: async (serviceContext) => {
    serviceContext.onClose(async () => {
      serviceContext.log.info('closing the sample');
    });
    serviceContext.every('sample-job', 50, async (signal) => {
      serviceContext.log.info('the job begins');
      while (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, 10));
      serviceContext.log.info('the job has ended');
    });
    return {
      ...(serviceContext.settings.STANZA_LEAVE_MS > 0 && {
        leave: {
          milliseconds: serviceContext.settings.STANZA_LEAVE_MS,
          announce: () => serviceContext.log.info('leaving the sample'),
        },
      }),
      operations: [
        handle(echo, async ({ input }) => {
          if (input === 'forget a rejection') void Promise.reject(new Error('forgotten'));
          if (input === 'throw later')
            setImmediate(() => {
              throw new Error('thrown later');
            });
          if (typeof input === 'number') await new Promise((resolve) => setTimeout(resolve, input));
          return serviceContext.settings.STANZA_GREETING;
        }),
      ],
    };
  },
});

await runServices([service]);
