import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { prepareStart } from './commands/prepare.ts';
import { stackDirectory } from './directory.ts';
import { portOwner } from './port-owner.ts';
import { claimPort, freePorts, loopback, portTrouble } from './ports.ts';

const run = promisify(execFile);

describe('ports', () => {
  it('are all different and free', async () => {
    const ports = await freePorts(20);
    expect(new Set(ports).size).toBe(20);
    expect(await Promise.all(ports.map(portTrouble))).toEqual(ports.map(() => undefined));
  });

  it('are claimed by one process while it lives, though nobody listens on them', async () => {
    const [port = 0] = await freePorts(1);
    expect(claimPort(port)).toBe(false);
    const source = `import { claimPort } from './ports.ts'; console.log(claimPort(${port}), claimPort(${port + 40_000}));`;
    const asked = async (): Promise<string> => {
      const flags = ['--conditions=@stanza/source', '--input-type=module', '-e', source];
      const { stdout } = await run(process.execPath, flags, { cwd: import.meta.dirname });
      return stdout.trim();
    };
    expect(await asked()).toBe('false true');
    // The process that claimed the second one has ended.
    expect(await asked()).toBe('false true');
  });

  it('reports a taken port and its process', async () => {
    const [port = 0] = await freePorts(1);
    const server = createServer().listen(port, loopback);
    await once(server, 'listening');
    expect(await portTrouble(port)).toBe('EADDRINUSE');
    expect(portOwner(port)).toContain(`process ${process.pid} (`);
    server.close();
    await once(server, 'close');
    expect(portOwner(port)).toBeUndefined();
  });

  it('that fetch and browsers refuse is refused by a start, which deletes no data before', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stanza-port-'));
    const directory = stackDirectory(folder);
    await writeFile(directory.secrets, 'kept');
    for (const port of [4190, 5060, 6000, 6666]) {
      const started = prepareStart('start', { port, fresh: true }, directory);
      await expect(started).rejects.toMatchObject({
        message: `Browsers and Node refuse to call port ${port}, which belongs to another protocol.`,
        advice: 'Choose another one: npm start -- --port 8787',
      });
    }
    expect(await readFile(directory.secrets, 'utf8')).toBe('kept');
    const [free = 0] = await freePorts(1);
    for (const port of [0, free]) await prepareStart('start', { port, fresh: false }, directory);
    await rm(folder, { recursive: true });
  });
});
