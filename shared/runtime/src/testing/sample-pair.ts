/** Two services of one process, run by tests: one with clients of its own, and one that those need. */
import { listDeadLetters, resolveDeadLetter } from '@stanza/contracts';
import { z } from 'zod';
import { statement } from '../database/statement.ts';
import { runServices } from '../process/run-services.ts';
import { defineService } from '../process/service.ts';
import { commonSettings, processSettings } from '../process/settings.ts';
import { newContext } from '../rpc/context.ts';
import { handle } from '../rpc/handler.ts';
import { echo } from './rpc.ts';

const role = statement<{ role: string }>('role', 'select current_user as role');

const organization = defineService({
  name: 'organization',
  settings: z.object(commonSettings),
  declared: [echo, listDeadLetters.organization, resolveDeadLetter.organization],
  start: async ({ database }) => ({
    operations: [handle(echo, async () => (await database.query(role))[0]?.role)],
  }),
});

const gateway = defineService({
  name: 'gateway',
  settings: z.object(processSettings),
  database: false,
  declared: [],
  start: async ({ rpc, log, onClose }) => {
    onClose(async () => {
      const reason = String(await rpc.call(echo, 'the last request', newContext({ deadlineMs: 5_000 })));
      log.info({ reason }, 'the last request is answered');
    });
    const leave = { milliseconds: 200, announce: () => log.info('leaving the sample') };
    return { operations: [], leave };
  },
});

await runServices([organization, gateway]);
