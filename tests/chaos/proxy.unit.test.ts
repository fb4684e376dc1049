import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '../kit/wait.ts';
import { BreakableProxy } from './proxy.ts';

describe('a proxy whose network can be broken', () => {
  let server: Server;
  let farEnds: Socket[];
  let proxy: BreakableProxy;
  let open: Socket[];
  /** Pauses of the proxy that have not ended, each with its milliseconds and its end. */
  let pauses: { milliseconds: number; end: () => void }[];

  beforeEach(async () => {
    farEnds = [];
    open = [];
    pauses = [];
    server = createServer((socket) => {
      farEnds.push(socket);
      socket.on('error', () => socket.destroy());
      socket.on('data', (bytes) => socket.write(`echo ${bytes}`));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const pause = (milliseconds: number): Promise<void> =>
      new Promise((end) => {
        pauses.push({ milliseconds, end });
      });
    proxy = await BreakableProxy.start({ host: '127.0.0.1', port: Object(server.address()).port }, pause);
  });
  afterEach(async () => {
    for (const socket of open) socket.destroy();
    await proxy.close();
    server.close();
  });

  const client = async () => {
    const socket = connect(proxy.port, '127.0.0.1');
    open.push(socket);
    const seen = { text: '', error: '' };
    socket.on('data', (bytes) => {
      seen.text += bytes;
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      seen.error = error.code ?? '';
    });
    await once(socket, 'connect');
    return { socket, seen };
  };
  const talking = async () => {
    const made = await client();
    made.socket.write('1');
    await waitFor('the echo', () => made.seen.text === 'echo 1');
    return made;
  };

  it('carries bytes both ways', async () => {
    expect((await talking()).seen.text).toBe('echo 1');
  });

  it('keeps bytes back while it is partitioned, from old connections and new ones, and breaks none', async () => {
    const { socket, seen } = await talking();
    proxy.partition();
    socket.write('2');
    const late = await client();
    late.socket.write('3');
    await waitFor('the bytes and the connection to be kept back', () => proxy.held === 2);
    expect([seen, late.seen]).toEqual([
      { text: 'echo 1', error: '' },
      { text: '', error: '' },
    ]);
    proxy.heal();
    await waitFor('the rest', () => seen.text === 'echo 1echo 2' && late.seen.text === 'echo 3');
  });

  it('hides from the near end that the far one has gone, until it heals', async () => {
    const { socket, seen } = await talking();
    proxy.halfOpen();
    await waitFor('the far end to be gone', () => farEnds[0]?.destroyed);
    socket.write('2');
    await waitFor('the bytes to be lost', () => proxy.lost === 1);
    expect(seen).toEqual({ text: 'echo 1', error: '' });
    proxy.heal();
    await waitFor('the break', () => seen.error === 'ECONNRESET');
    expect((await talking()).seen.error).toBe('');
  });

  it('lets a connection go silent for both ends, though one of them closes, and no other', async () => {
    const chosen = await talking();
    const other = await talking();
    const [farEnd] = farEnds;
    const end = proxy.silence();
    chosen.socket.write('2');
    farEnd?.write('3');
    await waitFor('the bytes to be lost', () => proxy.lost === 2);
    chosen.socket.destroy();
    other.socket.write('4');
    await waitFor('the other connection', () => other.seen.text === 'echo 1echo 4');
    expect((await talking()).seen.text).toBe('echo 1');
    expect([chosen.seen, farEnd?.destroyed]).toEqual([{ text: 'echo 1', error: '' }, false]);
    end();
    await waitFor('the far end to be told', () => farEnd?.destroyed);
    expect(other.seen).toEqual({ text: 'echo 1echo 4', error: '' });
  });

  it('keeps a connection silent when the rest heals, and tells its near end when the silence is over', async () => {
    const { socket, seen } = await talking();
    const end = proxy.silence();
    proxy.heal();
    socket.write('2');
    await waitFor('the bytes to be lost', () => proxy.lost === 1);
    expect(seen).toEqual({ text: 'echo 1', error: '' });
    end();
    await waitFor('the break', () => seen.error === 'ECONNRESET');
  });

  it('resets connections, and takes new ones at once', async () => {
    const { seen } = await talking();
    proxy.reset();
    await waitFor('the break', () => seen.error === 'ECONNRESET');
    expect((await talking()).seen.text).toBe('echo 1');
  });

  it('delays bytes while it is slow', async () => {
    const { socket, seen } = await talking();
    proxy.slow(400);
    socket.write('2');
    for (const way of ['there', 'back']) {
      await waitFor(`the pause on the way ${way}`, () => pauses.length === 1);
      expect(seen.text).toBe('echo 1');
      expect(pauses[0]?.milliseconds).toBe(400);
      pauses.shift()?.end();
    }
    await waitFor('the echo', () => seen.text === 'echo 1echo 2');
  });
});
