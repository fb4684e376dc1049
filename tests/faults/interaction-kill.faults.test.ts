import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDestination, listDeliveries, listInteractions, sendTemplate } from '@stanza/contracts';
import { leaseMs, type Receiver, startReceiver } from '@stanza/delivery/testing/receiver';
import type { Stack } from '@stanza/local';
import { z } from 'zod';
import type { Api } from '../kit/api.ts';
import { type OwnStack, startOwnStack } from '../kit/own-stack.ts';
import type { World } from '../kit/stack.ts';
import { liveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

const channel = 'C1879';
const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
const calls = z.array(z.looseObject({ method: z.string(), outcome: z.string().nullable() }));

describe('kill -9 of delivery in the middle of what a click asks for', () => {
  let own: OwnStack;
  let stack: Stack;
  let world: World;
  let api: Api;
  let receiver: Receiver;

  beforeAll(async () => {
    own = await startOwnStack('kill', { seed: false });
    ({ stack, world } = own);
    receiver = await startReceiver();
    api = world.api.with((await (await world.newOrganization()).key()).key);
  });

  afterAll(async () => {
    await receiver?.close();
    await own?.close();
  });

  const send = async (): Promise<{ id: string; ts: string; destination: string }> => {
    const body = { name: 'Clicks', url: receiver.url };
    const { id: destination } = await api.ok(createDestination, { body });
    const interaction = [
      { type: 'update_message', strategy: 'append', blocks: [section('Approved')] },
      { type: 'call_destination', destination_id: destination, payload: { approved: true } },
    ];
    const text = { type: 'plain_text', text: 'Approve' };
    const button = { type: 'button', action_id: 'approve', text, interaction };
    const blocks = [{ type: 'actions', block_id: 'buttons', elements: [button] }];
    const { id: template_id } = await liveTemplate(api, blocks);
    const sent = await api.ok(sendTemplate, { body: { template_id, data: {}, channel_id: channel } });
    return { id: sent.message_id, ts: sent.message_ts, destination };
  };

  const message = async () => (await world.sandbox.messages(channel))[0];

  const press = async (ts: string): Promise<void> => {
    const workspace = (await message())?.workspace;
    const action = { type: 'button', action_id: 'approve', block_id: 'buttons' };
    const body = JSON.stringify({ workspace, channel, ts, user: 'U0ADA', action });
    await fetch(`${world.sandboxUrl}/interactions/action`, { method: 'POST', body });
  };

  const outcomesOf = async (method: string): Promise<(string | null)[]> => {
    const answer = await fetch(`${world.sandboxUrl}/control/calls`);
    return calls
      .parse(JSON.parse(await answer.text()))
      .filter((call) => call.method === method)
      .map(({ outcome }) => outcome);
  };

  it('loses nothing and does nothing twice', async () => {
    const { id, ts, destination } = await send();
    await world.sandbox.setFault({ method: 'chat.update', mode: 'silence_after', times: 1 });
    await press(ts);
    await waitFor('the update that is not answered', async () =>
      (await outcomesOf('chat.update')).includes('silence_after'),
    );
    const killed = stack.info.pids.delivery;
    stack.kill('delivery', 'SIGKILL');
    await waitFor('another process', () => stack.info.pids.delivery !== killed);
    const [click] = await waitFor('the end of every action', async () => {
      // The process that comes next may not be there yet.
      const { status, body } = await api.get(`/v1${listInteractions.path}?message_id=${id}`);
      const log = status === 200 ? listInteractions.reply.parse(body).data : [];
      return log[0]?.status === 'done' && log;
    });
    expect(click?.actions).toMatchObject([
      { type: 'update_message', status: 'done' },
      { type: 'call_destination', status: 'done' },
    ]);
    const shown = (await message())?.blocks ?? [];
    expect(shown.map(({ type }) => type)).toEqual(['actions', 'section']);
    expect((await outcomesOf('chat.update')).toSorted()).toEqual(['ok', 'silence_after']);
    // Where the claim of a try is lost, the next one comes after its lease.
    await waitFor('the delivery', () => receiver.received.length > 0, 2 * leaseMs);
    expect((await api.ok(listDeliveries, { params: { id: destination } })).data).toHaveLength(1);
  });
});
