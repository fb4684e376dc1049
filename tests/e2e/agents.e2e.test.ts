import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import {
  activateTemplateVersion,
  createApiKey,
  getTemplate,
  listAuditLog,
  listTemplates,
  listTemplateVersions,
  putTemplateDraft,
} from '@stanza/contracts';
import { tools as allTools, resultTokens, tokensOf } from '@stanza/mcp';
import {
  type AgentMode,
  connectAgent,
  connectProgram,
  protocolRevisions as revisions,
  useTool as use,
} from '../kit/agent.ts';
import type { Api } from '../kit/api.ts';
import type { TestOrganization } from '../kit/organization.ts';
import { openWorldWith, type World } from '../kit/stack.ts';
import { stanzaCommand } from '../kit/stanza-command.ts';
import { waitFor } from '../kit/wait.ts';

const deploy = [
  { type: 'header', text: { type: 'plain_text', text: 'Deploy of {{service}}' } },
  { type: 'section', text: { type: 'mrkdwn', text: '*{{version}}* is live.' } },
];

describe('agents', () => {
  let world: World;
  let organization: TestOrganization;
  let api: Api;
  const clients: Client[] = [];

  beforeAll(async () => {
    ({ world, organization, api } = await openWorldWith({ connected: false }));
  });
  afterAll(async () => {
    for (const client of clients) await client.close();
    await world.close();
  });

  const connect = async (key: string, mode?: AgentMode): Promise<Client> => {
    const client = await connectAgent(api.base, key, mode);
    clients.push(client);
    return client;
  };

  it.each(revisions)('reach the tools by revision %s', async (_, mode) => {
    const client = await connect((await organization.key()).key, mode);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(allTools.map(({ name }) => name));
    for (const { name, annotations } of tools) {
      const changes = ['create', 'draft', 'save', 'propose', 'test_send'].includes(name);
      const openWorldHint = name === 'test_send';
      expect(annotations).toMatchObject({ readOnlyHint: !changes, destructiveHint: false, openWorldHint });
    }
    expect((await use(client, 'explain', { code: 'tier_limit' })).isError).toBe(false);
  });

  it.each(revisions)(
    'go from a sentence to a version that is not live, by revision %s',
    async (revision, mode) => {
      const client = await connect((await organization.key()).key, mode);
      expect((await use(client, 'language', { topic: 'header' })).content).toHaveProperty('topic');
      const made = await use(client, 'create', {
        key: `news-${revision}`,
        name: 'Deploy news',
        blocks: deploy,
      });
      const { key } = made.content;
      expect(made.content).toMatchObject({ key: `news-${revision}`, version_number: 1, is_live: false });
      const again = await use(client, 'create', { key, name: 'Deploy news', blocks: deploy });
      expect(again).toMatchObject({ isError: true, content: { code: 'already_exists' } });

      const wrong = await use(client, 'validate', { blocks: [{ type: 'header', text: '{{' }] });
      expect(wrong.content).toMatchObject({
        valid: false,
        problems: expect.arrayContaining([expect.objectContaining({ pointer: expect.any(String) })]),
      });
      const blocks = [...deploy, { type: 'divider' }];
      expect((await use(client, 'validate', { blocks })).content).toMatchObject({ valid: true });
      expect(
        (await use(client, 'preview', { blocks, data: { service: 'api', version: '2' } })).content,
      ).toMatchObject({
        text: expect.stringContaining('api'),
      });
      expect((await use(client, 'draft', { template: key, blocks })).content).toMatchObject({ revision: 1 });
      expect((await use(client, 'read', { template: key })).content).toMatchObject({
        draft: { revision: 1 },
      });

      const late = await use(client, 'draft', { template: key, blocks: deploy });
      expect(late).toMatchObject({ isError: true, content: { code: 'draft_changed' } });

      const saved = await use(client, 'save', {
        template: key,
        expected_revision: 1,
        note: 'With a divider',
      });
      expect(saved.content).toMatchObject({ version_number: 2, is_live: false });
      const found = await use(client, 'find', { words: 'Deploy news' });
      expect(found.content).toMatchObject({
        templates: expect.arrayContaining([expect.objectContaining({ key, is_live: false })]),
      });
    },
  );

  /** The line of the audit log, which arrives a moment after the answer. */
  const creationOf = (name: string) =>
    waitFor(`the creation of ${name} in the audit log`, async () => {
      const { data } = await api.ok(listAuditLog, { query: { action: 'template.created' } });
      return data.find(({ changes }) => changes.name === name);
    });

  it.each(revisions)(
    'leave their name and their own address in the audit log, by revision %s',
    async (revision, mode) => {
      const { key } = await organization.key();
      const program = await connectProgram(['mcp'], { STANZA_URL: api.base, STANZA_KEY: key }, mode);
      clients.push(program);
      for (const [way, client] of Object.entries({ direct: await connect(key, mode), program })) {
        const made = await use(client, 'create', {
          key: `${way}-${revision}`,
          name: `${way}-${revision}`,
          blocks: deploy,
        });
        expect(made.isError).toBe(false);
        expect(await creationOf(`${way}-${revision}`)).toMatchObject({
          client: { user_agent: expect.stringMatching(/^mcp scripted-agent; /) },
        });
      }
    },
  );

  it('leave their name where a script writes all lines to the program at once', async () => {
    const { key } = await organization.key();
    const line = (id: number, method: string, params: object) =>
      `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
    const clientInfo = { name: 'script', version: '1' };
    const made = { key: 'at-once', name: 'At once', blocks: deploy };
    const input =
      line(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }) +
      line(2, 'tools/call', { name: 'create', arguments: made });
    const { code } = await stanzaCommand(['mcp'], { env: { STANZA_URL: api.base, STANZA_KEY: key }, input });
    expect(code).toBe(0);
    expect(await creationOf('At once')).toMatchObject({
      client: { user_agent: expect.stringMatching(/^mcp script; /) },
    });
  });

  it('are told through a program that their key is refused', async () => {
    const line = '{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{}}';
    const env = { STANZA_URL: api.base, STANZA_KEY: 'stz_live_wrong' };
    const { out } = await stanzaCommand(['mcp'], { env, input: `${line}\nno json\n` });
    const answers = out.split('\n').map((it) => JSON.parse(it));
    expect(answers).toContainEqual({
      jsonrpc: '2.0',
      id: 7,
      error: { code: -32_603, message: expect.stringContaining('not valid') },
    });
    expect(answers).toContainEqual(expect.objectContaining({ id: null }));
  });

  it('are told where people sign in when they have no credentials', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const ask = (headers: Record<string, string>) =>
      fetch(new URL('/mcp', api.base), { method: 'POST', headers, body: JSON.stringify(message) });
    for (const authorization of ['', 'Bearer stz_live_wrong']) {
      const answer = await ask({ 'content-type': 'application/json', authorization });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toMatch(
        /^Bearer resource_metadata="http.*\/\.well-known\/oauth-protected-resource\/mcp"$/,
      );
    }
    const metadata = await fetch(new URL('/.well-known/oauth-protected-resource/mcp', api.base));
    expect(await metadata.json()).toMatchObject({
      resource: `${api.base}/mcp`,
      authorization_servers: [expect.any(String)],
    });
  });

  it('are told why they are refused where their key is for other addresses', async () => {
    const { key } = await api.ok(createApiKey, {
      body: { name: 'Elsewhere', scopes: ['templates:read'], allowed_addresses: ['203.0.113.0/24'] },
    });
    const answer = await fetch(new URL('/mcp', api.base), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ error: 'The API key cannot be used from this address.' });
  });

  it('are refused from a page of another origin, and where a message is no JSON or too deep', async () => {
    const { key } = await organization.key();
    const ask = (body: string, more: Record<string, string> = {}) =>
      fetch(new URL('/mcp', api.base), {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...more },
        body,
      });
    for (const origin of ['https://elsewhere.example.com', 'null']) {
      expect((await ask('{}', { origin })).status).toBe(403);
    }
    const batch = '[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]';
    const changed = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"order":12345678901234567890}}';
    for (const body of ['{', `${'['.repeat(200)}${']'.repeat(200)}`, batch, changed, '7']) {
      expect((await ask(body)).status).toBe(400);
    }
    expect((await ask(' '.repeat(1_048_577))).status).toBe(413);
    expect((await ask('{}', { authorization: 'Bearer \u00e9' })).status).toBe(401);
    const read = await fetch(new URL('/mcp', api.base));
    expect([read.status, read.headers.get('allow'), await read.json()]).toEqual([
      405,
      'POST',
      expect.objectContaining({ code: 'method_not_allowed', request_id: read.headers.get('x-request-id') }),
    ]);
  });

  it('keep what a draft holds beside its blocks, and change no setting of a live template', async () => {
    const client = await connect((await organization.key()).key);
    const sample_data = { service: 'api', version: '1' };
    const made = await use(client, 'create', { key: 'kept', name: 'Kept', blocks: deploy, sample_data });
    const { key } = made.content;
    await use(client, 'draft', { template: key, blocks: deploy.slice(0, 1) });
    expect((await use(client, 'read', { template: key })).content).toMatchObject({ draft: { sample_data } });
    await use(client, 'save', { template: key, expected_revision: 1 });
    const { data } = await api.ok(listTemplates, { query: { key: String(key) } });
    const id = data[0]?.id ?? '';
    const versions = (await api.ok(listTemplateVersions, { params: { id } })).data;
    await api.ok(activateTemplateVersion, { params: { id, version_id: versions[0]?.id ?? '' }, body: {} });
    const { revision } = await api.ok(putTemplateDraft, {
      params: { id },
      body: { blocks: deploy, metadata: { strict: true } },
    });
    const saved = await use(client, 'save', { template: key, expected_revision: revision });
    expect(saved.content).toMatchObject({ version_number: 3, is_live: false, settings_left: ['strict'] });
    expect((await api.ok(getTemplate, { params: { id } })).strict).toBe(false);
  });

  it('are led to the draft that is missing, and to the one that a proposal leaves out', async () => {
    const client = await connect((await organization.key()).key);
    const made = await use(client, 'create', { key: 'drafted', name: 'Drafted', blocks: deploy });
    const template = made.content.key;
    for (const name of ['diff', 'impact'])
      expect(await use(client, name, { template })).toMatchObject({
        isError: true,
        content: { code: 'not_found', message: expect.stringContaining('write one with the tool "draft"') },
      });
    expect((await use(client, 'propose', { template })).text).not.toContain('The draft');
    await use(client, 'draft', { template, blocks: deploy.slice(0, 1) });
    expect(await use(client, 'propose', { template })).toMatchObject({
      content: { version_number: 1 },
      text: expect.stringContaining('The draft, revision 1, is not in it: the tool'),
    });
  });

  it('Agents are told the first problems of an input that has hundreds', async () => {
    const client = await connect((await organization.key()).key);
    const refused = await use(client, 'validate', { blocks: Array.from({ length: 900 }, () => ({})) });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('blocks.9.type') });
    expect(refused.text).not.toContain('blocks.10.type');
    expect(tokensOf(refused.text)).toBeLessThanOrEqual(resultTokens);
  });

  it('are refused a stream, since nothing is ever told to one', async () => {
    const { key } = await organization.key();
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'listener', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const answer = await fetch(new URL('/mcp', api.base), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${key}`,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'subscriptions/listen',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'subscriptions/listen',
        params: { notifications: { toolsListChanged: true }, _meta: meta },
      }),
    });
    expect(await answer.text()).toContain('"error"');
  });

  it('cannot pass for a tool by a header of their own', async () => {
    const { key } = await organization.key();
    const answer = await fetch(new URL('/v1/auth/validate', api.base), {
      headers: {
        authorization: `Bearer ${key}`,
        'x-stanza-mcp-request': '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f',
      },
    });
    expect(answer.status).toBe(200);
  });
});
