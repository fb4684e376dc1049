import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { CommandProblem, Interrupted, textOf } from '../problem.ts';

/** Milliseconds for a person to sign in. */
const patienceMs = 300_000;

/** A listener on this machine to which the browser comes back. */
export interface Return extends AsyncDisposable {
  readonly redirectUri: string;
  /** What the provider has put into the address. @throws CommandProblem where nobody comes back in time */
  arrived(signal: AbortSignal): Promise<URLSearchParams>;
}

const answer = (response: ServerResponse, status: number, text: string): void => {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    connection: 'close',
  });
  response.end(text);
};

/**
 * Listens on any free port of this machine (RFC 8252, 7.3).
 * @param check refuses a return that is not the one that is waited for
 */
export const awaitReturn = async (check: (query: URLSearchParams) => void): Promise<Return> => {
  const { promise, resolve, reject } = Promise.withResolvers<URLSearchParams>();
  // Whoever waits is told; without anybody it is no error of the process.
  promise.catch(() => undefined);
  const server = createServer((request, response) => {
    // What is no address, as `//`, may come from any page that looks for open ports.
    const url = URL.parse(request.url ?? '/', 'http://127.0.0.1');
    if (request.method !== 'GET' || url?.pathname !== '/callback')
      return answer(response, 404, 'There is nothing here.');
    try {
      check(url.searchParams);
      const said = url.searchParams.has('code')
        ? 'You are signed in.'
        : 'You are not signed in: the command says why.';
      answer(response, 200, `${said} This page can be closed.`);
      return resolve(url.searchParams);
    } catch (error) {
      // A stranger's request does not end the wait of the person.
      return answer(response, 400, textOf(error));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    redirectUri: `http://127.0.0.1:${port}/callback`,
    arrived: async (signal) => {
      const late = () => reject(new CommandProblem('Nobody has signed in.', 'Run `stanza login` again.'));
      const timer = setTimeout(late, patienceMs);
      const interrupted = () => reject(new Interrupted());
      signal.addEventListener('abort', interrupted);
      if (signal.aborted) interrupted();
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', interrupted);
      }
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeIdleConnections();
    },
  };
};
