import { once } from 'node:events';
import { Agent, createServer, request, type Server } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { silentLogger } from '@stanza/runtime';
import { listen } from './http-server.ts';

/** The outcome of one request of a client with keep-alive connections. */
interface Met {
  status?: number;
  connection?: string | undefined;
  error?: string | undefined;
}

const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
};

const ask = (port: number, agent: Agent, path = '/'): Promise<Met> =>
  new Promise((resolve) => {
    const asked = request({ port, agent, path }, (response) => {
      response.resume();
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, connection: response.headers.connection }),
      );
    });
    asked.once('error', (error: NodeJS.ErrnoException) => resolve({ error: error.code }));
    asked.end();
  });

describe('a stopping gateway', () => {
  const agents: Agent[] = [];
  afterEach(() => {
    for (const agent of agents.splice(0)) agent.destroy();
  });
  const client = (): Agent => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    agents.push(agent);
    return agent;
  };

  it('finishes requests in flight, and announces that the connection closes', async () => {
    const arrived = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const server = createServer(async (_request, response) => {
      arrived.resolve();
      await answer.promise;
      response.writeHead(200).end('done');
    });
    const door = await listen(server, { port: 0, host: '127.0.0.1', log: silentLogger() });
    const met = ask(portOf(server), client());
    await arrived.promise;
    door.announceClosing();
    const closed = door.close();
    answer.resolve();
    expect(await met).toEqual({ status: 200, connection: 'close' });
    await closed;
  });

  it('accepts requests between the announcement and the end', async () => {
    const server = createServer((_request, response) => response.end('ok'));
    const door = await listen(server, { port: 0, host: '127.0.0.1', log: silentLogger() });
    door.announceClosing();
    for (const agent of [client(), client()]) {
      expect(await ask(portOf(server), agent)).toEqual({ status: 200, connection: 'close' });
    }
    const port = portOf(server);
    await door.close();
    expect(await ask(port, client())).toEqual({ error: 'ECONNREFUSED' });
  });

  it('lets keep-alive clients leave without a reset', async () => {
    const server = createServer((_request, response) => response.end('ok'));
    const door = await listen(server, { port: 0, host: '127.0.0.1', log: silentLogger() });
    const port = portOf(server);
    const seen: Met[] = [];
    let isStopping = false;
    const loop = async (): Promise<void> => {
      const agent = client();
      for (;;) {
        const met = await ask(port, agent);
        seen.push(met);
        if (isStopping && met.connection === 'close') return;
        if (met.error !== undefined) return;
      }
    };
    const loops = Array.from({ length: 8 }, loop);
    await Promise.all(agents.map((agent) => ask(port, agent)));
    isStopping = true;
    door.announceClosing();
    await Promise.all(loops);
    await door.close();
    expect(seen.filter((met) => met.error !== undefined)).toEqual([]);
  });

  it('does not wait for idle connections', async () => {
    const server = createServer((_request, response) => response.end('ok'));
    const door = await listen(server, { port: 0, host: '127.0.0.1', log: silentLogger() });
    await ask(portOf(server), client());
    const breakOff = jest.spyOn(server, 'closeAllConnections');
    await door.close();
    // It ends because the connection is idle, not because the drain time is over.
    expect(breakOff).not.toHaveBeenCalled();
  });

  it('does not wait for a connection that has carried nothing yet', async () => {
    const server = createServer((_request, response) => response.end('ok'));
    const door = await listen(server, { port: 0, host: '127.0.0.1', log: silentLogger() });
    const taken = once(server, 'connection');
    const ahead = connect(portOf(server), '127.0.0.1');
    await taken;
    const left = once(ahead, 'close');
    const breakOff = jest.spyOn(server, 'closeAllConnections');
    await door.close();
    await left;
    expect(breakOff).not.toHaveBeenCalled();
  });
});
