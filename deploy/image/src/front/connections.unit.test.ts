import { createServer } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { boundConnections } from './connections.ts';

const from = (remoteAddress: string): Socket =>
  Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });

describe('the connections of a front', () => {
  it('count as those of one client where their IPv6 addresses share a /64', () => {
    const server = createServer();
    let dropped = 0;
    boundConnections(server, { connections: 128, trusted: [], onDropped: () => dropped++ });
    // Sixteen are an eighth.
    for (let host = 1; host <= 17; host += 1) server.emit('connection', from(`2001:db8:0:7::${host}`));
    expect(dropped).toBe(1);
    server.emit('connection', from('2001:db8:0:8::1'));
    server.emit('connection', from('192.0.2.1'));
    expect(dropped).toBe(1);
  });
});
