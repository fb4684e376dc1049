import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { rejection, type StartedSandbox, startedSandbox } from '../testing/started-sandbox.ts';

let sandbox: StartedSandbox;
beforeEach(async () => {
  sandbox = await startedSandbox();
});
afterEach(() => sandbox.close());

async function refusedFault(body: string): Promise<unknown> {
  const response = await fetch(`${sandbox.url}/control/faults`, { method: 'POST', body });
  expect(response.status).toBe(400);
  return response.json();
}

const post = (text: string, key: string, channel = 'C0GENERAL') =>
  sandbox.client().chat.postMessage({
    channel,
    text,
    metadata: { event_type: 'stanza_message', event_payload: { key } },
  });

describe('GET /control/messages', () => {
  it('lists messages newest first with every field of the control surface', async () => {
    await post('one', 'k-1');
    await sandbox.client().chat.postMessage({ channel: 'C0ALERTS', text: 'two' });
    const listed = await sandbox.messages();
    expect(listed.map(({ text, key }) => [text, key])).toEqual([
      ['two', null],
      ['one', 'k-1'],
    ]);
    expect(Object.keys(listed[0] ?? {})).toEqual(
      expect.arrayContaining(['channel', 'ts', 'text', 'blocks', 'metadata', 'key', 'posted_at']),
    );
    expect(listed[0]?.posted_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('narrows by channel, key and number', async () => {
    await post('one', 'k-1');
    await post('two', 'k-2', 'C0ALERTS');
    await post('three', 'k-1', 'C0ALERTS');
    const texts = async (query: string) => (await sandbox.messages(query)).map(({ text }) => text);
    expect(await texts('?channel=C0ALERTS')).toEqual(['three', 'two']);
    expect(await texts('?key=k-1')).toEqual(['three', 'one']);
    expect(await texts('?key=k-1&limit=1')).toEqual(['three']);
  });

  it('refuses an unknown filter', async () => {
    const response = await fetch(`${sandbox.url}/control/messages?chanel=C0ALERTS`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'invalid_filter' });
  });
});

describe('DELETE /control/messages', () => {
  it('deletes messages and calls', async () => {
    await post('one', 'k-1');
    await fetch(`${sandbox.url}/control/messages`, { method: 'DELETE' });
    expect(await sandbox.messages()).toEqual([]);
    expect(await sandbox.calls()).toEqual([]);
  });
});

describe('POST /control/revocations', () => {
  const revoke = (body: object) =>
    fetch(`${sandbox.url}/control/revocations`, { method: 'POST', body: JSON.stringify(body) });

  it('revokes the token of one workspace, and leaves the others alone', async () => {
    expect((await revoke({ workspace: 'TACME' })).status).toBe(201);
    expect(await rejection(sandbox.client().auth.test())).toMatchObject({ data: { error: 'token_revoked' } });
    expect(await sandbox.client('xoxb-sandbox-beacon').auth.test()).toMatchObject({ ok: true });
  });

  it('refuses a request without a workspace', async () => {
    const response = await revoke({ workspace: 'acme' });
    expect([response.status, await response.json()]).toMatchObject([400, { error: 'invalid_revocation' }]);
  });
});

describe('/control/faults', () => {
  it('lists active faults and their remaining calls', async () => {
    await sandbox.misbehave({ method: 'auth.test', mode: 'latency', value: 5, times: 3 });
    await sandbox.misbehave({ method: 'chat.postMessage', channel: 'C0ALERTS', mode: 'reset_after' });
    const response = await fetch(`${sandbox.url}/control/faults`);
    expect(await response.json()).toEqual([
      { id: 1, method: 'auth.test', mode: 'latency', value: 5, times: 3, remaining: 3 },
      { id: 2, method: 'chat.postMessage', channel: 'C0ALERTS', mode: 'reset_after', remaining: null },
    ]);
  });

  it('refuses an unknown method, and names the known ones', async () => {
    const body = JSON.stringify({ method: 'chat.shout', mode: 'reset_after' });
    expect(await refusedFault(body)).toMatchObject({
      error: 'invalid_fault',
      message: expect.stringContaining(
        'unknown method chat.shout; known are auth.revoke, auth.test, chat.delete, chat.postEphemeral',
      ),
    });
  });

  const bad: [string, object][] = [
    ['an unknown mode', { mode: 'explode' }],
    ['a latency without its length', { mode: 'latency' }],
    ['an invalid status', { mode: 'status', value: 200 }],
    ['an error without a name', { mode: 'error' }],
    ['a value that the mode does not take', { mode: 'reset_after', value: 1 }],
    ['zero times', { mode: 'reset_after', times: 0 }],
    ['an unknown key', { mode: 'reset_after', chanel: 'C0ALERTS' }],
  ];
  for (const [what, input] of bad) {
    it(`refuses ${what}`, async () => {
      const body = JSON.stringify({ method: 'chat.postMessage', ...input });
      expect(await refusedFault(body)).toMatchObject({ error: 'invalid_fault' });
      expect(await (await fetch(`${sandbox.url}/control/faults`)).json()).toEqual([]);
    });
  }

  it('refuses malformed JSON', async () => {
    expect(await refusedFault('{')).toMatchObject({ error: 'bad_request' });
  });
});
