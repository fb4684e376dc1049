import { createServer } from 'node:http';

/** Answers every request at once, as a compile does: so that a client is measured, and no server. */
const answer = JSON.stringify({
  success: true,
  text: 'Deploy of api',
  blocks: [{ type: 'divider' }],
  warnings: [],
});

const server = createServer((request, response) => {
  request.resume().once('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': 'bench' }).end(answer);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address ? address.port : 0);
});
process.once('disconnect', () => process.exit(0));
