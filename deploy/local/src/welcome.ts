import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { grantCredits } from '@stanza/contracts';
import { connectRpc, newContext } from '@stanza/runtime';
import { z } from 'zod';
import { StackFailure } from './failure.ts';
import type { StackInfo } from './info.ts';
import { parseNatsUrl } from './nats/address.ts';

/** The channel of the sandbox that the first message goes to. */
const channel = 'C0GENERAL';

/** Where the console offers to send tests to, besides to oneself. */
const testTarget = { channel_id: 'C0DEPLOYS', description: 'Try messages out' };

const template = {
  name: 'Welcome',
  description: 'The first message of this Stanza',
  user_name: 'Stanza',
  icon_emoji: ':tada:',
  blocks: [
    { type: 'header', text: { type: 'plain_text', text: 'Stanza is up, {{name}}' } },
    {
      type: 'section',
      text: { type: 'mrkdwn', text: 'This message is a template and *{{steps | count}} steps* of data:' },
    },
    {
      type: 'directive',
      directive: '#each',
      path: 'steps',
      as: 'step',
      children: [
        { type: 'section', text: { type: 'mrkdwn', text: '*{{@number}}.* {{step.title}}\n`{{step.call}}`' } },
      ],
    },
    { type: 'divider' },
    { type: 'context', elements: [{ type: 'mrkdwn', text: 'Sent by `npm start`' }] },
  ],
  sample_data: {
    name: 'Olivia',
    steps: [
      { title: 'Create a template', call: 'POST /v1/templates' },
      { title: 'Make its version live', call: 'POST /v1/templates/{id}/versions/{version_id}/activate' },
      { title: 'Send it with data', call: 'POST /v1/templates/send' },
    ],
  },
};

const created = z.object({ id: z.string(), version: z.object({ id: z.string() }) });
const sent = z.object({ message_id: z.string() });

/** Sends the first message over the API, as an integrator would, once. Returns a text about it for people. */
export const sendWelcome = async (info: StackInfo, doneFile: string): Promise<string> => {
  if (existsSync(doneFile)) return 'was sent at an earlier start';
  const post = api(info);
  const { id, version } = created.parse(await post('/v1/templates', template));
  await post(`/v1/templates/${id}/versions/${version.id}/activate`, {});
  const message = { template_id: id, data: template.sample_data, channel_id: channel };
  const { message_id } = sent.parse(await post('/v1/templates/send', message));
  await seedTestTarget(post);
  await giveBack(info, message_id);
  await writeFile(doneFile, JSON.stringify({ template_id: id }), { mode: 0o600 });
  return `sent to ${channel}`;
};

/** Lists one target of test sends, so that the first test in the console has somewhere to go. */
const seedTestTarget = (post: Post): Promise<unknown> =>
  post('/v1/chat-connection/test-targets', { targets: [testTarget] }, 'PUT');

/** Gives the credit of the first message back, so that the demo starts with a round balance. */
const giveBack = async ({ nats_url, organizations }: StackInfo, grant_id: string): Promise<void> => {
  const { rpc, close } = await connectRpc({ ...parseNatsUrl(nats_url), caller: 'admin' });
  try {
    const grant = { grant_id, amount: 1, reason: 'the first message of the demo' };
    const organization_id = organizations[0]?.id ?? '';
    await rpc.call(grantCredits, { organization_id, ...grant }, newContext({ deadlineMs: 5_000 }));
  } finally {
    await close();
  }
};

type Post = (path: string, body: unknown, method?: 'POST' | 'PUT') => Promise<unknown>;

const api =
  (info: StackInfo): Post =>
  async (path, body, method = 'POST') => {
    const response = await fetch(`${info.base_url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${info.organizations[0]?.keys.owner}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    if (response.ok) return response.json();
    throw new StackFailure(
      `${method} ${path} answered ${response.status}: ${await response.text()}`,
      'The logs of the services are in .stanza/logs.',
    );
  };
