import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '../support/wait.ts';
import { BreakableProxy } from './proxy.ts';

/** Long enough for a piece to come through on a busy machine, had it been let through. */
const aWhileMs = 120;
const aWhile = () => new Promise((resolve) => setTimeout(resolve, aWhileMs));

describe('a proxy whose network can be broken', () => {
  let server: Server;
  let farEnds: Socket[];
  let proxy: BreakableProxy;
  let open: Socket[];

  beforeEach(async () => {
    farEnds = [];
    open = [];
    server = createServer((socket) => {
      farEnds.push(socket);
      socket.on('error', () => socket.destroy());
      socket.on('data', (bytes) => socket.write(`echo ${bytes}`));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    proxy = await BreakableProxy.start({ host: '127.0.0.1', port: Object(server.address()).port });
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
    await aWhile();
    expect([seen, late.seen]).toEqual([
      { text: 'echo 1', error: '' },
      { text: '', error: '' },
    ]);
    proxy.heal();
    await waitFor('the rest', () => seen.text === 'echo 1echo 2' && late.seen.text === 'echo 3');
  });

  it('leaves a near end in the dark when the far one has vanished, until it heals', async () => {
    const { socket, seen } = await talking();
    proxy.halfOpen();
    await waitFor('the far end to be gone', () => farEnds[0]?.destroyed);
    socket.write('2');
    await aWhile();
    expect(seen).toEqual({ text: 'echo 1', error: '' });
    proxy.heal();
    await waitFor('the break', () => seen.error === 'ECONNRESET');
    expect((await talking()).seen.error).toBe('');
  });

  it('resets connections, and takes new ones at once', async () => {
    const { seen } = await talking();
    proxy.reset();
    await waitFor('the break', () => seen.error === 'ECONNRESET');
    expect((await talking()).seen.text).toBe('echo 1');
  });

  it('holds back what passes while it is slow', async () => {
    const { socket, seen } = await talking();
    proxy.slow(aWhileMs);
    const asked = performance.now();
    socket.write('2');
    await waitFor('the echo', () => seen.text === 'echo 1echo 2');
    expect(performance.now() - asked).toBeGreaterThanOrEqual(2 * aWhileMs - 5);
  });
});
