import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import {
  type ActivationPolicy,
  acceptTemplateProposal,
  activateTemplateVersion,
  declineTemplateProposal,
  listMessages,
  listProposals,
  replaceTestTargets,
  type TemplateProposal,
  updateOrganization,
} from '@stanza/contracts';
import { connectAgent, useTool } from '../kit/agent.ts';
import type { Api } from '../kit/api.ts';
import type { TestOrganization } from '../kit/organization.ts';
import { openWorldWith, type World } from '../kit/stack.ts';
import { deployBlocks } from '../kit/templates.ts';

describe('an agent that proposes', () => {
  let world: World;
  let organization: TestOrganization;
  let owner: Api;
  let keyOfOwner: Api;
  let agent: Client;

  beforeAll(async () => {
    ({ world, organization } = await openWorldWith({ tier: 'enterprise' }));
    const { key } = await organization.key();
    keyOfOwner = world.api.with(key);
    owner = world.api.with((await organization.session()).token);
    agent = await connectAgent(world.api.base, key, { pin: '2026-07-28' });
  });
  afterAll(async () => {
    await agent.close();
    await world.close();
  });

  const use = (name: string, input: object) => useTool(agent, name, input);
  const policy = (activation: ActivationPolicy) =>
    owner.ok(updateOrganization, { params: { id: organization.id }, body: { activation } });
  const newestOpen = async (): Promise<TemplateProposal> => {
    const { data } = await owner.ok(listProposals, { query: { status: 'open', limit: '1' } });
    if (!data[0]) throw new Error('there is no open proposal');
    return data[0];
  };
  const named = ({ template_id: id, id: proposal_id }: TemplateProposal) => ({ params: { id, proposal_id } });

  it('goes from a sentence to a template that a person has made live', async () => {
    await policy('anyone');
    expect((await use('find', { words: 'deploy news' })).content).toEqual({ templates: [] });
    expect((await use('language', { topic: 'section' })).isError).toBe(false);
    const wrong = [
      { type: 'header', text: { type: 'plain_text', text: '{{#service}}' } },
      { type: 'sektion' },
    ];
    const checked = await use('validate', { blocks: wrong });
    expect(checked.content).toMatchObject({ valid: false });
    const { content: made } = await use('create', {
      key: 'deploy-news',
      name: 'Deploy news',
      blocks: deployBlocks,
    });
    const template = made.key;
    const blocks = [...deployBlocks, { type: 'divider' }];
    await use('draft', { template, blocks });
    expect((await use('validate', { blocks })).content).toMatchObject({ valid: true });
    const data = { service: 'api', version: '2' };
    expect((await use('preview', { blocks, data })).text).toContain('Deploy of api');
    await use('save', { template, expected_revision: 1 });
    expect((await use('diff', { template, version: 2, against: 1 })).content).toMatchObject({
      version_number: 2,
      against: { version_number: 1 },
      added: [{ type: 'divider' }],
    });
    expect((await use('impact', { template, version: 2 })).content).toMatchObject({ summary: { breaks: 0 } });
    expect((await use('impact', { template, version: 2, blocks })).isError).toBe(true);
    expect((await use('diff', { template, version: 7 })).content).toMatchObject({
      code: 'version_not_found',
    });
    const proposed = await use('propose', { template, note: 'News of each deploy' });
    expect(proposed.content).toMatchObject({ version_number: 2, status: 'open', is_live: false });

    const proposal = await newestOpen();
    expect(proposal).toMatchObject({
      template_key: template,
      source: 'mcp',
      agent: 'scripted-agent',
      note: 'News of each deploy',
      live_version_id: null,
    });
    await owner.ok(acceptTemplateProposal, {
      ...named(proposal),
      body: { expected_current_version_id: null },
    });
    expect((await use('proposals', { template })).content).toMatchObject({
      proposals: [{ status: 'accepted', is_live: true }],
    });
    expect((await use('read', { template })).content).toMatchObject({ version_number: 2, is_live: true });

    const next = await use('draft', { template, blocks: deployBlocks });
    expect((await use('diff', { template })).content).toMatchObject({ removed: [{ type: 'divider' }] });
    await use('save', { template, expected_revision: next.content.revision });
    await use('propose', { template });
    await owner.ok(declineTemplateProposal, {
      ...named(await newestOpen()),
      body: { reason: 'Keep the line' },
    });
    expect((await use('proposals', { template })).content).toMatchObject({
      proposals: [{ status: 'declined', reason: 'Keep the line' }, { status: 'accepted' }],
    });
  });

  it('is not let through by the policy, nor is whoever proposed by their key', async () => {
    const { content: made } = await use('create', { key: 'guarded', name: 'Guarded', blocks: deployBlocks });
    await use('propose', { template: made.key });
    const proposal = await newestOpen();
    const activating = { params: { id: proposal.template_id, version_id: proposal.version_id } };
    const admin = world.api.with((await organization.session({ role: 'admin' })).token);
    const refused = async (by: Api) => {
      await expect(by.ok(acceptTemplateProposal, named(proposal))).rejects.toThrow('activation_refused');
      await expect(by.ok(activateTemplateVersion, activating)).rejects.toThrow('activation_refused');
    };

    await policy('person');
    await refused(keyOfOwner);
    for (const activation of ['anyone', 'another_person'] as const) {
      const changing = { params: { id: organization.id }, body: { activation } };
      await expect(keyOfOwner.ok(updateOrganization, changing)).rejects.toThrow('access_denied');
    }

    await policy('another_person');
    await refused(keyOfOwner);
    await refused(owner);
    const claims = { azp: 'vscode-agent' };
    const agentOfAdmin = world.api.with((await organization.session({ role: 'admin', claims })).token);
    await refused(agentOfAdmin);
    const lifting = { params: { id: organization.id }, body: { activation: 'anyone' as const } };
    for (const by of [agentOfAdmin, admin]) {
      await expect(by.ok(updateOrganization, lifting)).rejects.toThrow('access_denied');
    }
    expect(await admin.ok(acceptTemplateProposal, named(proposal))).toMatchObject({ status: 'accepted' });
  });

  it('sends tests to listed targets alone, and explains what a request has done', async () => {
    const { content: made } = await use('create', {
      key: 'tried',
      name: 'Tried',
      blocks: deployBlocks,
      sample_data: { service: 'api', version: '1' },
    });
    const template = made.key;
    await keyOfOwner.ok(replaceTestTargets, {
      body: { targets: [{ channel_id: 'C0DEPLOYS', description: 'Rehearsals' }] },
    });
    expect((await use('test_send', { template })).content).toEqual({
      targets: [{ target: 'C0DEPLOYS', description: 'Rehearsals' }],
    });
    const elsewhere = await use('test_send', { template, target: 'C0GENERAL' });
    expect(elsewhere).toMatchObject({ isError: true, content: { code: 'access_denied' } });
    const sent = await use('test_send', { template, target: 'C0DEPLOYS' });
    expect(sent).toMatchObject({ isError: false, content: { target: 'C0DEPLOYS', version_number: 1 } });
    const { data } = await keyOfOwner.ok(listMessages, { query: { test: 'true' } });
    expect(data).toHaveLength(1);

    const explained = await use('explain', { request_id: data[0]?.request_id ?? '' });
    expect(explained.content).toMatchObject({
      messages: [{ id: sent.content.message_id, status: 'sent', attempts: [{ outcome: 'ok' }] }],
      not_looked_at: [],
    });
    const stranger = await world.newOrganization({ connected: false });
    const other = await connectAgent(world.api.base, (await stranger.key()).key);
    const byMessage = await use('explain', { request_id: data[0]?.id ?? '' });
    expect(byMessage.content).toEqual(explained.content);
    const seen = await useTool(other, 'explain', { request_id: data[0]?.request_id ?? '' });
    expect(seen.content).toMatchObject({ messages: [], changes: [] });
    await other.close();
  });
});
