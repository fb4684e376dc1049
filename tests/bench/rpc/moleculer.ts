/** The peer: `node moleculer.ts server|client <nats url>`, with its own deadline, meta and errors. */

import { newId } from '@stanza/runtime';
import moleculer from 'moleculer';
import { payload, principal, serveRounds } from './shape.ts';

interface Params {
  fail: boolean;
  payload: typeof payload;
}

const [role, url = ''] = process.argv.slice(2);
// The parent may die without a signal.
process.on('disconnect', () => process.exit());
const broker = new moleculer.ServiceBroker({
  nodeID: `${role}-${process.pid}`,
  transporter: url,
  logger: false,
  requestTimeout: 5_000,
  validator: true,
});

if (role === 'server') {
  broker.createService({
    name: 'bench',
    actions: {
      echo: {
        params: {
          fail: 'boolean',
          payload: {
            $$type: 'object',
            organization_id: 'uuid',
            operation: 'string',
            amount: 'number|integer',
            note: 'string',
          },
        },
        handler(context: moleculer.Context<Params>) {
          if (context.params.fail)
            throw new moleculer.Errors.MoleculerClientError('There is no such thing.', 404, 'not_found');
          return context.params.payload;
        },
      },
    },
  });
  await broker.start();
  process.send?.('ready');
} else {
  await broker.start();
  await broker.waitForServices('bench');
  serveRounds(async (fail) => {
    const meta = { request_id: 'bench-request-0123456789', operation_id: newId(), principal };
    await broker.call('bench.echo', { fail, payload }, { meta, timeout: 5_000 });
  });
}
