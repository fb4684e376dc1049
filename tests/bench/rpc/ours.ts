/** Our side: `node ours.ts server|client <nats url>`, as services do it. */
import { CodedError, internalOperation } from '@stanza/contracts';
import {
  connectBroker,
  createMetrics,
  handle,
  NatsRpcClient,
  newContext,
  noTracing,
  RpcServer,
  silentLogger,
  systemClock,
} from '@stanza/runtime';
import { z } from 'zod';
import { payload, principal, serveRounds } from './shape.ts';

const echo = internalOperation({
  id: 'bench-echo',
  service: 'organization',
  summary: 'Returns its input',
  callers: ['gateway'],
  input: z.object({
    fail: z.boolean(),
    payload: z.object({
      organization_id: z.uuid(),
      operation: z.string(),
      amount: z.int(),
      note: z.string(),
    }),
  }),
  reply: z.unknown(),
});

const [role, url = ''] = process.argv.slice(2);
// The parent may die without a signal.
process.on('disconnect', () => process.exit());
const log = silentLogger();
const caller = role === 'server' ? 'organization' : 'gateway';
const broker = await connectBroker({ url, caller, log });
const parts = {
  broker,
  log,
  metrics: createMetrics({ service: caller, processMetrics: true }),
  tracing: noTracing,
};

if (role === 'server') {
  const handler = handle(echo, async ({ input }) => {
    if (input.fail) throw new CodedError('not_found', { message: 'There is no such thing.' });
    return input.payload;
  });
  new RpcServer({
    ...parts,
    service: 'organization',
    handlers: [handler],
    concurrency: 256,
    clock: systemClock,
  });
  await broker.nats.flush();
  process.send?.('ready');
} else {
  const rpc = new NatsRpcClient({ ...parts, clock: systemClock });
  serveRounds(async (fail) => {
    const context = newContext({ requestId: 'bench-request-0123456789', principal, deadlineMs: 5_000 });
    await rpc.call(echo, { fail, payload }, context);
  });
}
