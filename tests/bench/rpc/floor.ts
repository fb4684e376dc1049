/** The floor: `node floor.ts server|client <nats url>`, bare requests with no deadline of their own, header or check. */
import { connect } from '@nats-io/transport-node';
import { payload, serveRounds } from './shape.ts';

const [role, url = ''] = process.argv.slice(2);
// The parent may die without a signal.
process.on('disconnect', () => process.exit());
const nats = await connect({ servers: url, noAsyncTraces: true });

if (role === 'server') {
  nats.subscribe('floor.bench.echo', {
    callback: (error, message) => {
      if (!error) message.respond(message.data);
    },
  });
  await nats.flush();
  process.send?.('ready');
} else {
  const good = JSON.stringify({ fail: false, payload });
  const bad = JSON.stringify({ fail: true, payload });
  serveRounds(async (fail) => {
    const reply = await nats.request('floor.bench.echo', fail ? bad : good, { timeout: 5_000 });
    const { fail: failed } = reply.json<{ fail: boolean }>();
    if (failed) throw new Error('There is no such thing.');
  });
}
