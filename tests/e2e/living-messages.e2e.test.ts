import { describe, expect, it } from '@jest/globals';
import { deleteMessage, getMessage, listMessages, sendTemplate, updateMessage } from '@stanza/contracts';
import { channelsOf } from '../kit/channels.ts';
import { sharedByTests } from '../kit/shared.ts';
import { openWorldWith } from '../kit/stack.ts';
import { withLiveTemplate } from '../kit/templates.ts';

const channels = channelsOf('living-messages');

describe('a living message', () => {
  const own = sharedByTests(() => withLiveTemplate(openWorldWith()));
  const dataOf = (version: string) => ({ service: 'api', version });
  const body = (version: string, more: object) => ({
    body: { template_id: own().template.id, data: dataOf(version), ...more },
  });

  it('is posted, updated in its place, read with its revisions, and deleted', async () => {
    const channel_id = channels.next();
    const { api } = own();
    const sent = await api.ok(sendTemplate, body('1', { channel_id }));
    const params = { id: sent.message_id };
    const updated = await api.ok(updateMessage, { params, body: { data: dataOf('2') } });
    expect(updated).toMatchObject({ message_ts: sent.message_ts, revision: 2, changed: true });
    expect(await api.ok(updateMessage, { params, body: { data: dataOf('2') } })).toMatchObject({
      revision: 2,
      changed: false,
    });
    const [shown] = await own().world.sandbox.messages(channel_id);
    expect(JSON.stringify(shown?.blocks)).toContain('2');
    expect(await api.ok(getMessage, { params })).toMatchObject({
      status: 'sent',
      revision: 2,
      revisions: [{ kind: 'post' }, { kind: 'update', credit_log_id: updated.credit_log_id }],
    });
    expect(await api.ok(deleteMessage, { params })).toMatchObject({ changed: true });
    expect(await api.ok(deleteMessage, { params })).toMatchObject({ changed: false });
    expect(await own().world.sandbox.messages(channel_id)).toEqual([]);
    const refused = await api.post(`/v1/messages/${sent.message_id}/update`, { data: dataOf('3') });
    expect(refused).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
  });

  it('is one for each key, whatever is sent at once', async () => {
    const channel_id = channels.next();
    const { api } = own();
    const versions = ['1', '2', '3', '4'];
    const replies = await Promise.all(
      versions.map((version) =>
        api.ok(sendTemplate, body(version, { channel_id, message_key: 'deploy-4711' })),
      ),
    );
    const ids = new Set(replies.map((reply) => reply.message_id));
    expect(ids.size).toBe(1);
    expect(await own().world.sandbox.messages(channel_id)).toHaveLength(1);
    const { data } = await api.ok(listMessages, { query: { message_key: 'deploy-4711' } });
    expect(data.map(({ id }) => id)).toEqual([...ids]);
    const [{ revision } = { revision: 0 }] = data;
    expect(revision).toBe(Math.max(...replies.map((reply) => reply.revision ?? 0)));
  });
});
