import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.SIGNING_SECRET ?? '');
/** In earnest: a table with a unique column, written in the transaction that acts on the payload. */
const seen = new Set<string>();

const server = createServer(async (request, response) => {
  const body = await text(request);
  const headers = {
    'webhook-id': String(request.headers['webhook-id']),
    'webhook-timestamp': String(request.headers['webhook-timestamp']),
    'webhook-signature': String(request.headers['webhook-signature']),
  };
  try {
    const payload = webhook.verify(body, headers);
    if (!seen.has(headers['webhook-id'])) console.log(JSON.stringify(payload));
    seen.add(headers['webhook-id']);
    response.writeHead(204).end();
  } catch {
    // Unsigned, signed by someone else, or older than five minutes.
    response.writeHead(401).end();
  }
});
server.listen(Number(process.env.PORT ?? 8080));
