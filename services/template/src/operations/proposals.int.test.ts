import { beforeEach, describe, expect, it } from '@jest/globals';
import type { InputOf, Principal, proposeTemplateVersion as proposing } from '@stanza/contracts';
import { newContext } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { type Colleagues, colleagues, organizationWith, type Policy } from '../testing/policies.ts';
import { ask, greeting, newTemplate, openWorld, recordedAudit, strangersTo } from '../testing/world.ts';
import { acceptTemplateProposal } from './accept-template-proposal.ts';
import { activateTemplateVersion } from './activate-template-version.ts';
import { appendTemplateVersion } from './append-template-version.ts';
import { archiveTemplate } from './archive-template.ts';
import { createEntity } from './create-entity.ts';
import { declineTemplateProposal } from './decline-template-proposal.ts';
import { getTemplate } from './get-template.ts';
import { getTemplateProposal } from './get-template-proposal.ts';
import { getTemplateVersion } from './get-template-version.ts';
import { listProposals } from './list-proposals.ts';
import { listTemplateProposals } from './list-template-proposals.ts';
import { proposeTemplateVersion } from './propose-template-version.ts';
import { withdrawTemplateProposal } from './withdraw-template-proposal.ts';

describe('a proposal', () => {
  const policy: Policy = { activation: 'anyone' };
  const world = sharedByTests(() => openWorld([organizationWith(policy)]));
  let us: Colleagues;
  let id: string;
  let first: string;

  beforeEach(async () => {
    policy.activation = 'anyone';
    us = colleagues();
    const made = await newTemplate(world(), us.key);
    id = made.id;
    first = made.version.id;
  });

  const propose = (
    body: InputOf<typeof proposing>['body'] = { version_id: first },
    by: Principal = us.key,
    userAgent?: string,
  ) =>
    ask(
      proposeTemplateVersion(world()),
      { params: { id }, body },
      by,
      newContext({
        deadlineMs: 15_000,
        principal: by,
        ...(userAgent !== undefined && { client: { address: null, user_agent: userAgent } }),
      }),
    );
  const accept = (proposal_id: string, by: Principal = us.grace, body: object = {}) =>
    ask(acceptTemplateProposal(world()), { params: { id, proposal_id }, body }, by);
  const decline = (proposal_id: string, by: Principal = us.grace) =>
    ask(declineTemplateProposal(world()), { params: { id, proposal_id }, body: { reason: 'No amount' } }, by);
  const withdraw = (proposal_id: string, by: Principal = us.key) =>
    ask(withdrawTemplateProposal(world()), { params: { id, proposal_id } }, by);
  const read = (proposal_id: string, by: Principal = us.key) =>
    ask(getTemplateProposal(world()), { params: { id, proposal_id } }, by);
  const append = async (by: Principal = us.key) =>
    (await ask(appendTemplateVersion(world()), { params: { id }, body: { blocks: greeting } }, by)).id;
  const activate = (version_id: string, by: Principal = us.grace) =>
    ask(activateTemplateVersion(world()), { params: { id, version_id }, body: {} }, by);
  const live = async () => (await ask(getTemplate(world()), { params: { id } }, us.key)).current_version_id;
  const audited = async () =>
    (await recordedAudit(world(), us.key))
      .filter(({ subject }) => subject.kind === 'template_proposal')
      .map(({ action }) => action);

  it('says who made it, through what, and leaves live what is', async () => {
    await activate(first);
    const second = await append();
    const made = await propose({ version_id: second, note: 'Shorter' }, us.key, 'mcp code-editor; node');
    expect(made).toMatchObject({
      template_id: id,
      template_name: 'Greeting',
      version_id: second,
      version_number: 2,
      live_version_id: first,
      live_version_number: 1,
      status: 'open',
      note: 'Shorter',
      proposed_by: us.key.actor.user_id,
      key_id: us.key.actor.id,
      source: 'mcp',
      agent: 'code-editor',
      decided_by: null,
    });
    expect(await read(made.id)).toEqual(made);
    expect(await live()).toBe(first);
    expect(await propose({ blocks: greeting }, us.grace)).toMatchObject({
      version_number: 3,
      source: 'web',
      key_id: null,
      agent: null,
    });
  });

  it('of blocks names the entity of its version by its key, too', async () => {
    const { key: entity_key, id: entity_id } = await ask(
      createEntity(world()),
      { body: { name: 'Order' } },
      us.key,
    );
    const { version_id } = await propose({ blocks: greeting, entity_key });
    const version = await ask(getTemplateVersion(world()), { params: { id, version_id } }, us.key);
    expect(version.entity_id).toBe(entity_id);
    await expect(propose({ blocks: greeting, entity_key: 'no-such' })).rejects.toMatchObject({
      code: 'entity_not_found',
    });
  });

  it('makes its version live once it is accepted, and once however often', async () => {
    const { id: proposal } = await propose();
    const accepted = await accept(proposal);
    expect(accepted).toMatchObject({ status: 'accepted', decided_by: us.grace.actor.user_id });
    expect(await live()).toBe(first);
    const second = await append();
    await activate(second);
    expect(await accept(proposal)).toEqual(accepted);
    expect(await live()).toBe(second);
    expect(await audited()).toEqual(['template_proposal.created', 'template_proposal.accepted']);
    const actions = (await recordedAudit(world(), us.key)).map(({ action }) => action);
    expect(actions.filter((it) => it === 'template.activated')).toHaveLength(2);
  });

  it('is accepted by one of two at once, with one activation', async () => {
    const { id: proposal } = await propose();
    const both = await Promise.all([accept(proposal), accept(proposal, us.key)]);
    expect(both[0]).toEqual(both[1]);
    const actions = (await recordedAudit(world(), us.key)).map(({ action }) => action);
    expect(actions.filter((it) => it === 'template.activated')).toHaveLength(1);
  });

  it('is guarded by the version that whoever accepts believes to be live', async () => {
    await activate(first);
    const { id: proposal } = await propose({ blocks: greeting });
    await expect(accept(proposal, us.grace, { expected_current_version_id: null })).rejects.toMatchObject({
      code: 'current_version_changed',
    });
    expect(await read(proposal)).toMatchObject({ status: 'open' });
    await accept(proposal, us.grace, { expected_current_version_id: first });
    expect(await read(proposal)).toMatchObject({ status: 'accepted' });
  });

  it('is refused where another version is live than when it was made, unless that one is named', async () => {
    await activate(first);
    const second = await append();
    const { id: proposal, version_id } = await propose({ blocks: greeting });
    await activate(second);
    await expect(accept(proposal)).rejects.toMatchObject({
      code: 'current_version_changed',
      message: expect.stringContaining(`expected_current_version_id: "${second}"`),
    });
    expect(await live()).toBe(second);
    await accept(proposal, us.grace, { expected_current_version_id: second });
    expect(await live()).toBe(version_id);
  });

  it.each(['person', 'another_person'] as const)(
    'is declined by a person, and by no key, under the policy %s',
    async (activation) => {
      const { id: proposal } = await propose();
      policy.activation = activation;
      await expect(decline(proposal, us.key)).rejects.toMatchObject({ code: 'activation_refused' });
      expect(await read(proposal)).toMatchObject({ status: 'open' });
      expect(await decline(proposal, us.ada)).toMatchObject({ status: 'declined' });
      const { id: next } = await propose();
      expect(await withdraw(next)).toMatchObject({ status: 'withdrawn' });
    },
  );

  it('leaves its version to its proposer once it is taken back, where somebody else wrote it', async () => {
    policy.activation = 'another_person';
    const second = await append();
    const { id: proposal } = await propose({ version_id: second }, us.grace);
    await expect(activate(second)).rejects.toMatchObject({ code: 'activation_refused' });
    await withdraw(proposal, us.grace);
    await expect(activate(second, us.ada)).rejects.toMatchObject({ code: 'activation_refused' });
    await activate(second);
    expect(await live()).toBe(second);

    await propose({ version_id: first }, us.grace);
    await propose({ blocks: greeting }, us.grace);
    await activate(first);
    expect(await live()).toBe(first);
  });

  it('keeps its version from its proposer after it was declined', async () => {
    policy.activation = 'another_person';
    const { id: proposal } = await propose({ version_id: first }, us.grace);
    await decline(proposal, us.ada);
    await expect(activate(first)).rejects.toMatchObject({ code: 'activation_refused' });
  });

  it('is withdrawn by its author without making its version theirs to activate', async () => {
    policy.activation = 'another_person';
    const { id: proposal } = await propose({ version_id: first }, us.ada);
    await withdraw(proposal, us.ada);
    await expect(activate(first, us.ada)).rejects.toMatchObject({ code: 'activation_refused' });
    await activate(first);
  });

  it('is declined with a reason, and not accepted afterwards', async () => {
    const { id: proposal } = await propose();
    const declined = await decline(proposal);
    expect(declined).toMatchObject({ status: 'declined', reason: 'No amount' });
    expect(await decline(proposal)).toEqual(declined);
    await expect(accept(proposal)).rejects.toMatchObject({ code: 'invalid_state' });
    await expect(withdraw(proposal)).rejects.toMatchObject({ code: 'invalid_state' });
    expect(await live()).toBeNull();
    expect(await propose()).toMatchObject({ status: 'open' });
    expect(await audited()).toEqual([
      'template_proposal.created',
      'template_proposal.declined',
      'template_proposal.created',
    ]);
  });

  it('is withdrawn by whoever made it alone', async () => {
    const { id: proposal } = await propose();
    await expect(withdraw(proposal, us.grace)).rejects.toMatchObject({ code: 'access_denied' });
    const withdrawn = await withdraw(proposal);
    expect(withdrawn).toMatchObject({ status: 'withdrawn' });
    expect(await withdraw(proposal)).toEqual(withdrawn);
    await expect(decline(proposal)).rejects.toMatchObject({ code: 'invalid_state' });
  });

  it('is the same again for its proposer, and taken for anybody else', async () => {
    const made = await propose();
    expect(await propose()).toEqual(made);
    await expect(propose({ version_id: first }, us.grace)).rejects.toMatchObject({ code: 'already_exists' });
    expect(await audited()).toEqual(['template_proposal.created']);
  });

  it('is overtaken by another one of its proposer, and by a later version that is made live', async () => {
    const { id: mine } = await propose();
    const { id: next } = await propose({ blocks: greeting });
    expect(await read(mine)).toMatchObject({ status: 'superseded', decided_by: us.key.actor.user_id });
    const { id: hers } = await propose({ blocks: greeting }, us.grace);
    expect(await read(next)).toMatchObject({ status: 'open' });
    await activate(await append());
    expect(await read(next)).toMatchObject({ status: 'superseded' });
    expect(await read(hers)).toMatchObject({ status: 'superseded', decided_by: us.grace.actor.user_id });
  });

  it('is accepted by an activation of its version, and outlives a rollback to an earlier one', async () => {
    await activate(await append());
    const { id: proposal, version_id } = await propose({ blocks: greeting });
    await activate(first);
    expect(await read(proposal)).toMatchObject({ status: 'open' });
    await activate(version_id);
    expect(await read(proposal)).toMatchObject({ status: 'accepted' });
  });

  it('is overtaken where a key makes its version live, and accepted where a key accepts it', async () => {
    const { id: overtaken, version_id } = await propose({ blocks: greeting });
    await activate(version_id, us.key);
    expect(await live()).toBe(version_id);
    expect(await read(overtaken)).toMatchObject({ status: 'superseded' });
    const { id: accepted } = await propose({ blocks: greeting });
    expect(await accept(accepted, us.key)).toMatchObject({ status: 'accepted' });
  });

  it('is refused for what is live, of an archived template, and for blocks that do not compile', async () => {
    await activate(first);
    await expect(propose()).rejects.toMatchObject({ code: 'invalid_state' });
    await expect(propose({ blocks: [{ type: 'header' }] })).rejects.toMatchObject({
      code: 'compilation_failed',
    });
    await ask(archiveTemplate(world()), { params: { id } }, us.key);
    await expect(propose({ blocks: greeting })).rejects.toMatchObject({ code: 'invalid_state' });
  });

  it('is listed newest first, of a template and of the environment, by its status', async () => {
    const { id: one } = await propose();
    await decline(one);
    const { id: two } = await propose();
    const page = { limit: 20, offset: 0 };
    const of = async (query: object = {}) =>
      (
        await ask(listTemplateProposals(world()), { params: { id }, query: { ...page, ...query } }, us.key)
      ).data.map((it) => it.id);
    const all = (by: Principal, query: object = {}) =>
      ask(listProposals(world()), { query: { ...page, ...query } }, by);
    expect(await of()).toEqual([two, one]);
    expect(await of({ status: 'declined' })).toEqual([one]);
    expect(await all(us.key, { status: 'open' })).toMatchObject({
      data: [{ id: two, template_name: 'Greeting', template_key: 'greeting' }],
      pagination: { total: 1 },
    });
    for (const stranger of strangersTo(us.key)) {
      expect((await all(stranger)).data).toEqual([]);
      await expect(read(two, stranger)).rejects.toMatchObject({ code: 'template_not_found' });
    }
  });
});
