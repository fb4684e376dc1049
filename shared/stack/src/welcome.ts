import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { StackFailure } from './failure.ts';
import type { StackInfo } from './info.ts';

/** The channel of the sandbox that the first message goes to. */
const channel = 'C0GENERAL';

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

/** Sends the first message over the API, as an integrator would. Answers what was done, for people; once is enough. */
export const sendWelcome = async (info: StackInfo, doneFile: string): Promise<string> => {
  if (existsSync(doneFile)) return 'was sent at an earlier start';
  const post = api(info);
  const made = created.parse(await post('/v1/templates', template));
  await post(`/v1/templates/${made.id}/versions/${made.version.id}/activate`, {});
  await post('/v1/templates/send', { template_id: made.id, data: template.sample_data, channel_id: channel });
  await writeFile(doneFile, JSON.stringify({ template_id: made.id }));
  return `sent to ${channel}; see ${info.sandbox_url}`;
};

const api =
  (info: StackInfo) =>
  async (path: string, body: unknown): Promise<unknown> => {
    const response = await fetch(`${info.base_url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${info.organizations[0]?.keys.owner}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    if (response.ok) return response.json();
    throw new StackFailure(
      `POST ${path} answered ${response.status}: ${await response.text()}`,
      'The logs of the services are in .stanza/logs.',
    );
  };
