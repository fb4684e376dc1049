import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import {
  activateTemplateVersion,
  createTemplate,
  roles,
  type Scope,
  scopes,
  scopesOfRole,
  setAgentSends,
} from '@stanza/contracts';
import { scopesOfTool, tools } from '@stanza/mcp';
import { connectAgent, useTool } from '../kit/agent.ts';
import type { Api } from '../kit/api.ts';
import type { TestOrganization } from '../kit/organization.ts';
import { openWorldWith, type World } from '../kit/stack.ts';
import { deployBlocks } from '../kit/templates.ts';

/** The tool that sends the template of this test. */
const sending = 'send_deploy-alert';

/** Every tool with what it needs. */
const needs = [
  ...tools.map(({ name, scopes: needed }) => ({ name, needed })),
  { name: sending, needed: scopesOfTool(sending) ?? [] },
];

/** What every tool that works on a template takes of this. */
const input = { blocks: deployBlocks, expected_revision: 1, target: 'C0DEPLOYS', words: 'deploy' };

describe('the rights of an agent', () => {
  let world: World;
  let organization: TestOrganization;
  let api: Api;
  let key: string;
  const clients: Client[] = [];

  beforeAll(async () => {
    ({ world, organization, api } = await openWorldWith({ connected: false, tier: 'enterprise' }));
    const made = await api.ok(createTemplate, { body: { name: 'Deploy alert', blocks: deployBlocks } });
    await api.ok(activateTemplateVersion, { params: { id: made.id, version_id: made.version.id } });
    await api.ok(setAgentSends, { params: { id: made.id }, body: { enabled: true } });
    key = made.key;
  });
  afterAll(async () => {
    for (const client of clients) await client.close();
    await world.close();
  });

  const connect = async (token: string): Promise<Client> => {
    const client = await connectAgent(api.base, token);
    clients.push(client);
    return client;
  };
  const listed = async (client: Client): Promise<string[]> =>
    (await client.listTools()).tools.map(({ name }) => name);
  const allowed = (held: readonly Scope[]): string[] =>
    needs.filter(({ needed }) => needed.every((scope) => held.includes(scope))).map(({ name }) => name);

  describe.each(roles)('as a %s', (role) => {
    it.each(['key', 'session'] as const)(
      'with a %s has the tools of the role, and no other',
      async (kind) => {
        const token =
          kind === 'key'
            ? (await organization.key({ role, scopes: [...scopesOfRole(role)] })).key
            : (await organization.session({ role })).token;
        const client = await connect(token);
        const names = allowed(scopesOfRole(role));
        expect(await listed(client)).toEqual(names);
        for (const { name, needed } of needs.filter((it) => !names.includes(it.name))) {
          const called = client.callTool({ name, arguments: { template: key, ...input } });
          const [missing = ''] = needed.filter((scope) => !scopesOfRole(role).includes(scope));
          await expect(called).rejects.toThrow(missing);
        }
      },
    );
  });

  it.each([
    ['preveiw', 'There is no tool "preveiw". Did you mean "preview"?'],
    ['send_deploy_alert', `There is no tool "send_deploy_alert". Did you mean "${sending}"?`],
    ['send_deploy_alert', 'that an admin has switched on for agents'],
    ['delete_everything', `Your tools are ${needs.map(({ name }) => name).join(', ')}.`],
  ])('refuse a tool of the wrong name %s with what there is', async (name, told) => {
    const client = await connect((await organization.key()).key);
    await expect(client.callTool({ name, arguments: {} })).rejects.toThrow(told);
  });

  it('name no tool that it may not use where a name is wrong', async () => {
    const client = await connect((await organization.key({ scopes: ['templates:read'] })).key);
    const refused = client.callTool({ name: 'propos', arguments: {} });
    await expect(refused).rejects.toThrow('Your tools are find, read, language, diff, proposals, explain.');
  });

  it.each(needs.map((one) => [one.name, one] as const))(
    'needs each scope of %s',
    async (name, { needed }) => {
      for (const missing of needed) {
        const { key: token } = await organization.key({ scopes: scopes.filter((it) => it !== missing) });
        expect(await listed(await connect(token))).not.toContain(name);
      }
      const { key: token } = await organization.key({ scopes: [...needed] });
      expect(await listed(await connect(token))).toContain(name);
    },
  );

  const ofTemplate = tools
    .filter(({ input: { shape } }) => 'template' in shape)
    .map(({ name, input: { shape } }) => [name, shape] as const);

  it.each(ofTemplate)('reaches no template of others: %s', async (name, shape) => {
    // A preview of blocks reads no template.
    const taken = Object.entries(input).filter(
      ([argument]) => argument in shape && !(name === 'preview' && argument === 'blocks'),
    );
    const other = await world.newOrganization({ connected: false });
    for (const { key: token } of [await other.key(), await organization.key({ environment: 'preview' })]) {
      const client = await connect(token);
      const refused = await useTool(client, name, { template: key, ...Object.fromEntries(taken) });
      expect(refused).toMatchObject({ isError: true, content: { code: 'template_not_found' } });
      expect((await useTool(client, 'proposals')).content).toEqual({ proposals: [] });
      expect((await useTool(client, 'find')).content).toEqual({ templates: [] });
    }
  });

  it('sends no template of others', async () => {
    const other = await world.newOrganization({ connected: false });
    for (const { key: token } of [await other.key(), await organization.key({ environment: 'preview' })]) {
      const client = await connect(token);
      expect(await listed(client)).toEqual(tools.map(({ name }) => name));
      const message = { data: {}, channel_id: 'C0DEPLOYS', idempotency_key: 'of-others' };
      await expect(useTool(client, sending, message)).rejects.toThrow(sending);
    }
  });

  it('is told which scope is missing to see what a request did', async () => {
    const { key: token } = await organization.key({ scopes: ['templates:read'] });
    const { content } = await useTool(await connect(token), 'explain', { request_id: 'deploy-4711' });
    expect(content.not_looked_at).toEqual(['audit log: needs audit:read', 'message log: needs usage:read']);
  });
});
