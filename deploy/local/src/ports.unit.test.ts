import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { portOwner } from './port-owner.ts';
import { freePorts, loopback, portTrouble } from './ports.ts';

describe('ports', () => {
  it('are all different and free', async () => {
    const ports = await freePorts(20);
    expect(new Set(ports).size).toBe(20);
    expect(await Promise.all(ports.map(portTrouble))).toEqual(ports.map(() => undefined));
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
});
