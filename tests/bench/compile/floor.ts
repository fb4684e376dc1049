import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from '@nats-io/transport-node';
import express from 'express';

/**
 * The floor of a compile: express takes the body, one NATS request carries it to another process and brings the
 * same bytes of answer back. No key, no database, no template.
 */
const role = process.argv[2];
const server = process.env.BENCH_NATS_URL ?? '';
const answer = Buffer.from(process.env.BENCH_ANSWER ?? '{}');

const echo = async (): Promise<void> => {
  const nats = await connect({ servers: server });
  nats.subscribe('floor.echo', {
    callback: (error, message) => {
      if (!error) message.respond(answer);
    },
  });
  await nats.flush();
  process.send?.('ready');
};

const front = async (): Promise<void> => {
  const echoing = fork(import.meta.filename, ['echo'], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  await once(echoing, 'message');
  const nats = await connect({ servers: server, noAsyncTraces: true });
  const app = express();
  app.disable('etag');
  app.disable('x-powered-by');
  app.use(express.json());
  app.post('/compile', async (request, response) => {
    const reply = await nats.request('floor.echo', JSON.stringify(request.body), { timeout: 5_000 });
    response.json(reply.json());
  });
  const listening = app.listen(0, '127.0.0.1', () => {
    const address = listening.address();
    process.send?.(typeof address === 'object' && address ? address.port : 0);
  });
};

// Ends with its parent, in any role.
process.once('disconnect', () => process.exit(0));

await (role === 'echo' ? echo() : front());
