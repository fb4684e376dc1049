import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { replaceTestTargets, setAgentSends } from '@stanza/contracts';
import { tools as allTools } from '@stanza/mcp';
import {
  type AgentMode,
  connectAgent,
  connectProgram,
  protocolRevisions as revisions,
  useTool,
} from '../kit/agent.ts';
import type { Api } from '../kit/api.ts';
import type { TestOrganization } from '../kit/organization.ts';
import { openWorldWith, type World } from '../kit/stack.ts';
import { deployBlocks, liveTemplate } from '../kit/templates.ts';

const data = { service: 'api', version: '2' };

describe('every tool', () => {
  let world: World;
  let organization: TestOrganization;
  let api: Api;

  beforeAll(async () => {
    ({ world, organization, api } = await openWorldWith({ tier: 'enterprise' }));
    await api.ok(replaceTestTargets, {
      body: { targets: [{ channel_id: 'C0DEPLOYS', description: 'Rehearsals' }] },
    });
    const { id } = await liveTemplate(api, deployBlocks, { key: 'deploy', sample_data: data });
    await api.ok(setAgentSends, { params: { id }, body: { enabled: true } });
  });
  afterAll(() => world.close());

  const ways = {
    HTTP: (key: string, mode: AgentMode) => connectAgent(world.api.base, key, mode),
    'a program': (key: string, mode: AgentMode) =>
      connectProgram(['mcp'], { STANZA_URL: world.api.base, STANZA_KEY: key }, mode),
  };

  const recorded = (agent: Client) => {
    const calls: string[] = [];
    const use = async (name: string, input: object = {}) => {
      calls.push(name);
      const { isError, content } = await useTool(agent, name, input);
      return { name, isError, content };
    };
    return { calls, use };
  };
  const ok = (name: string, content: object) => ({ name, isError: false, content });

  describe.each(Object.keys(ways))('over %s', (way) => {
    it.each(revisions)('does its work by revision %s', async (revision, mode) => {
      const { key } = await organization.key();
      const agent = await (way === 'HTTP' ? ways.HTTP : ways['a program'])(key, mode);
      try {
        const { calls, use } = recorded(agent);
        const name = `News over ${way} by ${revision}`;
        const key = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
        const blocks = [...deployBlocks, { type: 'divider' }];
        expect(await use('find', { words: 'weather' })).toEqual(ok('find', { templates: [] }));
        expect(await use('language', { topic: 'header' })).toMatchObject(
          ok('language', { topic: expect.anything() }),
        );
        expect(await use('validate', { blocks: [{ type: 'sektion' }] })).toMatchObject(
          ok('validate', { valid: false, problems: [{ pointer: expect.any(String) }] }),
        );
        expect(await use('validate', { blocks: deployBlocks })).toMatchObject(
          ok('validate', { valid: true }),
        );
        expect(await use('preview', { blocks: deployBlocks, data })).toMatchObject(
          ok('preview', { text: expect.stringContaining('api') }),
        );
        const made = await use('create', { key, name, blocks: deployBlocks, sample_data: data });
        expect(made).toMatchObject(ok('create', { version_number: 1, is_live: false }));
        // A sentence has become a valid template.
        expect(calls.length).toBeLessThanOrEqual(6);

        const template = made.content.key;
        expect(await use('draft', { template, blocks })).toMatchObject(ok('draft', { revision: 1 }));
        expect(await use('read', { template })).toMatchObject(ok('read', { draft: { revision: 1 } }));
        expect(await use('save', { template, expected_revision: 1 })).toMatchObject(
          ok('save', { version_number: 2, is_live: false }),
        );
        expect(await use('preview', { template, version: 2, data })).toMatchObject(
          ok('preview', { text: expect.stringContaining('api') }),
        );
        expect(await use('diff', { template, version: 2, against: 1 })).toMatchObject(
          ok('diff', { added: [{ type: 'divider' }] }),
        );
        expect(await use('impact', { template, version: 2 })).toMatchObject(
          ok('impact', { summary: { breaks: 0 } }),
        );
        expect(await use('propose', { template })).toMatchObject(
          ok('propose', { version_number: 2, status: 'open', is_live: false }),
        );
        expect(await use('proposals', { template })).toMatchObject(
          ok('proposals', { proposals: [{ status: 'open' }] }),
        );
        expect(await use('test_send', { template, target: 'C0DEPLOYS' })).toMatchObject(
          ok('test_send', { target: 'C0DEPLOYS', version_number: 2 }),
        );
        expect(await use('explain', { code: 'tier_limit' })).toMatchObject(
          ok('explain', { code: 'tier_limit' }),
        );
        const message = { data, channel_id: 'C0DEPLOYS', idempotency_key: name };
        expect(await use('send_deploy', message)).toMatchObject(
          ok('send_deploy', { version_number: 1, replayed: false }),
        );
        const { tools } = await agent.listTools();
        expect(tools.map((it) => it.name)).toEqual([...allTools.map((it) => it.name), 'send_deploy']);
        expect(new Set(calls)).toEqual(new Set(tools.map((it) => it.name)));
      } finally {
        await agent.close();
      }
    });
  });
});
