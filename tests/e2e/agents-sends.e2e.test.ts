import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { listAuditLog, listMessages, type Scope, setAgentSends, updateTemplate } from '@stanza/contracts';
import { listTokens, maxTools } from '@stanza/mcp';
import { connectAgent, useTool } from '../kit/agent.ts';
import type { Api } from '../kit/api.ts';
import { injectedInstructions } from '../kit/injected-instructions.ts';
import type { TestOrganization } from '../kit/organization.ts';
import { openWorldWith, type World } from '../kit/stack.ts';
import { deployBlocks, liveTemplate } from '../kit/templates.ts';

const sending: Scope[] = ['templates:read', 'messages:create'];
const data = { service: 'api', version: '2' };

describe('live templates as tools of agents', () => {
  let world: World;
  let organization: TestOrganization;
  let api: Api;
  let agent: Client;
  let id: string;

  beforeAll(async () => {
    ({ world, organization, api } = await openWorldWith({ tier: 'enterprise' }));
    ({ id } = await liveTemplate(api, deployBlocks, { key: 'deploy', sample_data: data }));
    agent = await connectAgent(api.base, (await organization.key({ scopes: sending })).key, {
      pin: '2026-07-28',
    });
  });
  afterAll(async () => {
    await agent.close();
    await world.close();
  });

  const switchTo = (enabled: boolean, template = id) =>
    api.ok(setAgentSends, { params: { id: template }, body: { enabled } });
  const sendTools = async (client = agent) =>
    (await client.listTools()).tools.filter(({ name }) => name.startsWith('send_'));
  const namesOf = (found: readonly { name: string }[]) => found.map(({ name }) => name);

  it('are there only while an admin has switched them on, and for whoever may send', async () => {
    const message = { data, channel_id: 'C0DEPLOYS', idempotency_key: 'not-switched-on' };
    expect(await sendTools()).toEqual([]);
    await expect(useTool(agent, 'send_deploy', message)).rejects.toThrow('send_deploy');
    await switchTo(true);
    const [tool] = await sendTools();
    expect(tool).toMatchObject({
      name: 'send_deploy',
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: true,
      },
      inputSchema: {
        properties: {
          data: {
            type: 'object',
            properties: { service: { type: 'string' }, version: { type: 'string' } },
            required: ['service', 'version'],
          },
        },
        required: ['data', 'idempotency_key'],
      },
    });
    for (const missing of sending) {
      const scopes = sending.filter((it) => it !== missing);
      const other = await connectAgent(api.base, (await organization.key({ scopes })).key);
      expect(await sendTools(other)).toEqual([]);
      await expect(useTool(other, 'send_deploy', message)).rejects.toThrow(missing);
      await other.close();
    }
    await switchTo(false);
    expect(await sendTools()).toEqual([]);
    await expect(useTool(agent, 'send_deploy', message)).rejects.toThrow('send_deploy');
    const refused = world.api.with((await organization.key({ role: 'member' })).key);
    await expect(refused.ok(setAgentSends, { params: { id }, body: { enabled: true } })).rejects.toThrow(
      /insufficient_scope|access_denied/,
    );
    expect((await api.ok(listMessages, {})).data).toEqual([]);
  });

  it('send one message however often one is asked for, and leave their name in the audit log', async () => {
    await switchTo(true);
    const message = { data, channel_id: 'C0DEPLOYS', idempotency_key: 'deploy-2' };
    const sent = await useTool(agent, 'send_deploy', message);
    expect(sent).toMatchObject({ isError: false, content: { version_number: 1, replayed: false } });
    const again = await useTool(agent, 'send_deploy', message);
    expect(again.content).toEqual({ ...sent.content, replayed: true });
    const { data: messages } = await api.ok(listMessages, {});
    expect(messages).toMatchObject([{ id: sent.content.message_id, status: 'sent', test: false }]);
    const { data: audited } = await api.ok(listAuditLog, { query: { action: 'message.requested' } });
    expect(audited).toMatchObject([
      {
        subject: { kind: 'message', id: sent.content.message_id },
        changes: { template_id: id, test: false, source: 'mcp', agent: 'scripted-agent' },
        client: { user_agent: expect.stringMatching(/^mcp scripted-agent; /) },
      },
    ]);
    const missing = await useTool(agent, 'send_deploy', { ...message, data: {}, idempotency_key: 'other' });
    expect(missing).toMatchObject({ isError: true, content: { code: 'invalid_data' } });
    const nowhere = await useTool(agent, 'send_deploy', { data, idempotency_key: 'nowhere' });
    expect(nowhere).toMatchObject({ isError: true, content: { code: 'validation_failed' } });
  });

  it('are listed within the bounds of a list, and say nothing that an organization has written', async () => {
    const words = injectedInstructions.slice(0, 9).map((text) => text.trim());
    for (const [index, text] of words.entries()) {
      const { id: made } = await liveTemplate(
        api,
        [{ type: 'section', text: { type: 'mrkdwn', text: '{{given}}' } }],
        { key: `injected-${index}`, name: text.slice(0, 100), sample_data: { given: text } },
      );
      await api.ok(updateTemplate, { params: { id: made }, body: { description: text } });
      await switchTo(true, made);
    }
    const { tools } = await agent.listTools();
    expect(tools).toHaveLength(maxTools);
    const text = JSON.stringify(tools);
    expect(Math.ceil(text.length / 3)).toBeLessThanOrEqual(listTokens);
    for (const one of words) expect(text).not.toContain(JSON.stringify(one).slice(1, -1));
    const listed = namesOf(await sendTools());
    expect(listed[0]).toBe('send_deploy');
    expect(namesOf(await sendTools())).toEqual(listed);
    const beyond = await useTool(agent, 'send_injected-8', {
      data: { given: 'text' },
      channel_id: 'C0DEPLOYS',
      idempotency_key: 'beyond',
    });
    expect([listed.includes('send_injected-8'), beyond.isError]).toEqual([false, false]);
  });
});
