import { get } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type StartedSandbox, startedSandbox } from './testing/started-sandbox.ts';

describe('the host name of a request', () => {
  let sandbox: StartedSandbox;
  beforeEach(async () => {
    sandbox = await startedSandbox({ hosts: ['sandbox'] });
  });
  afterEach(() => sandbox.close());

  const statusFor = (host: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      get(`${sandbox.url}/control/messages`, { headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).once('error', reject);
    });

  it.each(['127.0.0.1:8788', 'localhost', 'LOCALHOST:1', '[::1]:8788', 'sandbox:8788'])(
    'may be %s',
    async (host) => {
      expect(await statusFor(host)).toBe(200);
    },
  );

  it('may not be a foreign name that resolves here', async () => {
    for (const host of ['evil.example.com', '127.0.0.1.nip.io:8788', 'sandbox.example.com', 'x127.0.0.1']) {
      expect([host, await statusFor(host)]).toEqual([host, 421]);
    }
  });
});
