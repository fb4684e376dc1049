import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { rejection, type StartedSandbox, startedSandbox } from '../../testing/started-sandbox.ts';

let sandbox: StartedSandbox;
beforeEach(async () => {
  sandbox = await startedSandbox();
});
afterEach(() => sandbox.close());

const block = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
const view = (text: string) => ({
  type: 'modal',
  title: { type: 'plain_text', text: 'Title' },
  blocks: [block(text)],
});

const button = { type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'Go' } };

const read = async <T>(path: string): Promise<T> => {
  const body: T = JSON.parse(await (await fetch(`${sandbox.url}${path}`)).text());
  return body;
};

/** Posts a message and returns its `ts`. */
const post = async (args: Record<string, unknown>): Promise<string> => {
  await sandbox.client().apiCall('chat.postMessage', { channel: 'C0GENERAL', ...args });
  const [{ ts } = { ts: '' }] = await sandbox.messages();
  return ts;
};

/** Posts a message, uses its button, and returns the trigger of the callback. */
const trigger = async (): Promise<string> => {
  const ts = await post({ blocks: [{ type: 'actions', elements: [button] }] });
  const action = { type: 'button', action_id: 'go', block_id: 'b0' };
  const body = JSON.stringify({ workspace: 'TACME', channel: 'C0GENERAL', ts, action });
  await fetch(`${sandbox.url}/interactions/action`, { method: 'POST', body });
  const callbacks = await read<{ payload: { trigger_id: string } }[]>('/control/callbacks');
  return callbacks[0]?.payload.trigger_id ?? '';
};

const call = (method: string, args: Record<string, unknown>) => sandbox.client().apiCall(method, args);
const errorOf = async (method: string, args: Record<string, unknown>) => {
  const error = await rejection(call(method, args));
  return error instanceof Error ? error.message : error;
};
const openViews = () => read<{ id: string; hash: string; blocks: unknown[] }[]>('/control/views');

describe('a view', () => {
  it('opens by a trigger, once', async () => {
    const trigger_id = await trigger();
    await call('views.open', { trigger_id, view: view('one') });
    expect(await openViews()).toMatchObject([{ root_view_id: expect.any(String), blocks: [block('one')] }]);
    expect(await errorOf('views.open', { trigger_id, view: view('two') })).toContain('exchanged_trigger_id');
    expect(await errorOf('views.open', { trigger_id: 'x', view: view('two') })).toContain(
      'invalid_trigger_id',
    );
  });

  it('is refused when it breaks a limit of the platform, and leaves the trigger as it was', async () => {
    const trigger_id = await trigger();
    const long = { ...view('one'), title: { type: 'plain_text', text: 'x'.repeat(25) } };
    expect(await errorOf('views.open', { trigger_id, view: long })).toContain('invalid_arguments');
    await call('views.open', { trigger_id, view: view('one') });
  });

  it('is changed in its place, unless it has changed since', async () => {
    await call('views.open', { trigger_id: await trigger(), view: view('one') });
    const [{ id, hash } = { id: '', hash: '' }] = await openViews();
    await call('views.update', { view_id: id, hash, view: view('two') });
    expect(await openViews()).toMatchObject([{ id, blocks: [block('two')] }]);
    expect(await errorOf('views.update', { view_id: id, hash, view: view('three') })).toContain(
      'hash_conflict',
    );
  });
});

describe('a message', () => {
  it('is changed in its place; what is not given stays', async () => {
    const ts = await post({
      text: 'one',
      metadata: { event_type: 'e', event_payload: { key: 'k' } },
    });
    await call('chat.update', { channel: 'C0GENERAL', ts, blocks: [block('two')] });
    expect(await sandbox.messages()).toMatchObject([
      { ts, text: 'one', blocks: [block('two')], key: 'k', edits: 1 },
    ]);
    expect(await errorOf('chat.update', { channel: 'C0GENERAL', ts: '1.000001', text: 'x' })).toContain(
      'message_not_found',
    );
  });
});
