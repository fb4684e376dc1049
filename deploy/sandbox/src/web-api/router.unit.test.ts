import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type StartedSandbox, startedSandbox } from '../testing/started-sandbox.ts';

describe('The Web API', () => {
  let sandbox: StartedSandbox;
  beforeEach(async () => {
    sandbox = await startedSandbox();
  });
  afterEach(() => sandbox.close());

  const post = (text: string) =>
    fetch(`${sandbox.url}/api/chat.postMessage`, {
      method: 'POST',
      headers: { authorization: 'Bearer xoxb-sandbox-acme', 'content-type': 'application/json' },
      body: JSON.stringify({ channel: 'C0GENERAL', text }),
    });

  it('refuses a body of more than two megabytes, and posts nothing of it', async () => {
    const refused = await post('x'.repeat(2 * 1_024 * 1_024));
    expect(refused.status).toBe(413);
    expect(await refused.json()).toMatchObject({ ok: false, error: 'bad_request' });
    expect(await sandbox.messages()).toEqual([]);
    expect((await post('short')).status).toBe(200);
  });

  it('answers others after a caller has left in the middle of its request', async () => {
    const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      'POST /api/chat.postMessage HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nbegun',
    );
    socket.destroy();
    expect((await post('next')).status).toBe(200);
    expect(await sandbox.messages()).toHaveLength(1);
  });
});
