import { describe, expect, it } from '@jest/globals';
import { dialing } from './dial.ts';

const server = {
  hostname: 'nats',
  port: 4222,
  listen: 'nats:4222',
  src: 'nats:4222',
  tlsName: '',
  reconnects: 0,
  lastConnect: 0,
  gossiped: false,
  didConnect: false,
};

describe('a process', () => {
  it('dials NATS at once for the first time, and after a delay every other time', () => {
    const { reconnectToServer } = dialing();
    const delays = Array.from({ length: 50 }, () => Object(reconnectToServer([server], null)).delay);
    expect(delays[0]).toBe(0);
    for (const delay of delays.slice(1)) {
      expect(delay).toBeGreaterThanOrEqual(250);
      expect(delay).toBeLessThan(351);
    }
  });
});
