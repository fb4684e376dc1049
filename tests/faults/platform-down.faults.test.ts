import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getChatConnection, sendTemplate } from '@stanza/contracts';
import type { Stack } from '@stanza/local';
import type { Api, ApiAnswer } from '../kit/api.ts';
import { type OwnStack, startOwnStack } from '../kit/own-stack.ts';
import type { World } from '../kit/stack.ts';
import { liveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

const method = 'chat.postMessage';
/** Milliseconds that a breaker stays open here; a minute of an outage takes a few seconds so. */
const breakerMs = 1_000;
/** Channels for which every post fails. */
const broken = Array.from({ length: 40 }, (_, index) => `C${1_500 + index}`);

let channels = 0;
/** A channel that works and has not been posted to for a while. */
const newChannel = (): string => `C${1_560 + (channels++ % 440)}`;

/** Refusals that are waited for. */
const enough = 200;

/** Someone who sends to channels of their own. */
interface Sender {
  api: Api;
  send: (channel?: string) => Promise<ApiAnswer>;
}

describe('the chat platform fails for one workspace, under load', () => {
  let own: OwnStack;
  let stack: Stack;
  let world: World;

  beforeAll(async () => {
    const env = { STANZA_CHAT_BREAKER_MS: String(breakerMs) };
    own = await startOwnStack('down', { seed: false, env });
    ({ stack, world } = own);
  });

  afterAll(async () => {
    await own?.close();
  });

  const newSender = async (): Promise<Sender> => {
    const organization = await world.newOrganization();
    const api = world.api.with((await organization.key()).key);
    const { id: template_id } = await liveTemplate(api);
    const send = (channel_id = newChannel()) =>
      api.post('/v1/templates/send', { template_id, data: {}, channel_id });
    return { api, send };
  };

  const events = async (): Promise<Record<string, number>> => {
    const page = await (await fetch(stack.info.metrics.delivery ?? '')).text();
    const lines = page.matchAll(
      /^stanza_breaker_events_total\{(?=[^}]*breaker="chat")[^}]*event="(\w+)"[^}]*\} (\d+)/gm,
    );
    return Object.fromEntries([...lines].map(([, event = '', count]) => [event, Number(count)]));
  };

  it('does not ask it again while it is down, leaves other workspaces alone, and recovers by itself', async () => {
    const [troubled, other] = [await newSender(), await newSender()];
    for (const channel of broken)
      await world.sandbox.setFault({ method, channel, mode: 'status', value: 503 });
    const breakers = async () => (await troubled.api.ok(getChatConnection)).breakers;

    let refusals = 0;
    let asked = 0;
    const load = async (channel: string): Promise<void> => {
      while (refusals < enough) {
        const refused = await troubled.send(channel);
        if (Object(refused.body).code === 'delivery_outcome_unknown') {
          asked += 1;
          continue;
        }
        expect(refused).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
        refusals += 1;
      }
    };
    const others = async (): Promise<void> => {
      while (refusals < enough) {
        expect(sendTemplate.reply.parse((await other.send()).body)).toMatchObject({ success: true });
      }
    };
    await Promise.all([...broken.map(load), others()]);
    expect(asked).toBeLessThan(refusals);
    expect(await breakers()).toMatchObject([{ calls: 'post' }]);
    expect(await other.api.ok(getChatConnection)).toMatchObject({ breakers: [] });

    await waitFor('the workspace to be sent to again', async () => (await troubled.send()).status === 200);
    expect(await breakers()).toEqual([]);
    const seen = await events();
    for (const event of ['open', 'half_open', 'closed', 'refused']) expect(seen[event]).toBeGreaterThan(0);
    for (const channel of broken.slice(0, 5)) expect(await world.sandbox.messages(channel)).toEqual([]);
  });
});
