import type { IncomingMessage } from 'node:http';

/** Most bytes of a body. */
const most = 2 * 1_024 * 1_024;

/**
 * Reads the body of a request as text.
 * @returns undefined when it is too large
 */
export function readBody(request: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= most) chunks.push(chunk);
    });
    request.once('end', () => resolve(bytes <= most ? Buffer.concat(chunks).toString() : undefined));
    request.once('error', reject);
  });
}
