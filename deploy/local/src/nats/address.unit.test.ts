import { describe, expect, it } from '@jest/globals';
import { natsUrlFor, parseNatsUrl } from './address.ts';

describe('the address of a broker', () => {
  it('is split into a plain address and its user', () => {
    expect(parseNatsUrl('nats://admin:p%40ss@broker:4222')).toEqual({
      url: 'nats://broker:4222',
      user: 'admin',
      password: 'p@ss',
    });
  });

  it('may lack a user and the protocol', () => {
    expect(parseNatsUrl('broker:4222')).toEqual({ url: 'nats://broker:4222' });
  });

  it('is joined again', () => {
    const address = natsUrlFor({ url: 'nats://broker:4222' }, 'admin', 'p@ss');
    expect(parseNatsUrl(address)).toMatchObject({ user: 'admin', password: 'p@ss' });
  });

  it('may be those of several servers, with the user in each', () => {
    const address = natsUrlFor({ url: 'nats://one:4222,nats://two:4222' }, 'admin', 'p@ss');
    expect(address).toBe('nats://admin:p%40ss@one:4222,nats://admin:p%40ss@two:4222');
    const url = 'nats://one:4222,nats://two:4222';
    expect(parseNatsUrl(address)).toEqual({ url, user: 'admin', password: 'p@ss' });
  });
});
