import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type DigestPayload, verify } from '@stanza/sdk';

/** While the secret changes, the one before stands next to it. */
const secret = (process.env.SIGNING_SECRETS ?? '').split(' ');
/** In earnest: a table with a unique column, written in the transaction that acts on the payload. */
const seen = new Set<string>();

const server = createServer(async (request, response) => {
  const { headers } = request;
  try {
    const { id, payload } = await verify<DigestPayload>({ headers, body: await buffer(request) }, { secret });
    if (!seen.has(id)) console.log(JSON.stringify(payload));
    seen.add(id);
    response.writeHead(204).end();
  } catch (error) {
    // A mistake of this program, as a secret that is not set.
    if (error instanceof TypeError) throw error;
    // Unsigned, signed by someone else, or older than five minutes.
    response.writeHead(401).end();
  }
});
server.listen(Number(process.env.PORT ?? 8080));
