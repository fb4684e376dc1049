import { beforeEach, describe, expect, it } from '@jest/globals';
import { CodedError, getOrganizationStatus, measureImpact, type Principal } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { ask, newTemplate, openWorld, somebody } from '../testing/world.ts';
import { acceptTemplateProposal } from './accept-template-proposal.ts';
import { activateTemplateVersion } from './activate-template-version.ts';
import { archiveTemplate } from './archive-template.ts';
import { getTemplate } from './get-template.ts';
import { getTemplateProposal } from './get-template-proposal.ts';
import { proposeTemplateVersion } from './propose-template-version.ts';
import { unarchiveTemplate } from './unarchive-template.ts';

/** The answers of the other services. */
const others = { policy: false as boolean | undefined, breaking: [] as string[], away: false };

const organization = handle(getOrganizationStatus, async () => {
  if (others.away) throw new CodedError('service_unavailable');
  const { policy: guard_activation } = others;
  return { status: 'active' as const, ...(guard_activation !== undefined && { guard_activation }) };
});
const impact = handle(measureImpact, async ({ input }) => ({
  template_id: input.template_id,
  version_id: input.version_id ?? null,
  current_version_id: null,
  inputs: { required: [], added: [], gone: [], retyped: [] },
  data: others.breaking.map((name) => ({
    source: 'sample_data' as const,
    id: '01938c2e-7b1a-7c3d-9e4f-000000000001',
    name,
    owner: null,
    effect: 'breaks' as const,
    problems: [],
    problem_count: 0,
  })),
  summary: { same: 0, changed: 0, warning: 0, breaks: others.breaking.length },
  not_looked_at: [],
}));

describe('the policy guard_activation', () => {
  const world = sharedByTests(() => openWorld([organization, impact]));
  let ada: Principal;
  let id: string;
  let first: string;

  beforeEach(async () => {
    Object.assign(others, { policy: true, breaking: ['An order'], away: false });
    ada = somebody();
    const made = await newTemplate(world(), ada);
    id = made.id;
    first = made.version.id;
  });

  const activate = (body: { accept_breaks?: boolean } = {}) =>
    ask(activateTemplateVersion(world()), { params: { id, version_id: first }, body }, ada);
  const live = async () => (await ask(getTemplate(world()), { params: { id } }, ada)).current_version_id;
  const refused = { code: 'activation_breaks', facts: { details: expect.stringContaining('An order') } };

  it('refuses a plain activation with which stored data breaks, and nothing is live', async () => {
    await expect(activate()).rejects.toMatchObject(refused);
    expect(await live()).toBeNull();
    expect(await activate({ accept_breaks: true })).toMatchObject({ is_current: true });
    // What is live already can be activated again.
    expect(await activate()).toMatchObject({ is_current: true });
  });

  it('refuses to accept a proposal with which stored data breaks, unless that is accepted too', async () => {
    const proposing = { params: { id }, body: { version_id: first } };
    const { id: proposal_id } = await ask(proposeTemplateVersion(world()), proposing, ada);
    const params = { id, proposal_id };
    const accept = (body: { accept_breaks?: boolean } = {}) =>
      ask(acceptTemplateProposal(world()), { params, body }, ada);
    await expect(accept()).rejects.toMatchObject(refused);
    const found = { params };
    expect(await ask(getTemplateProposal(world()), found, ada)).toMatchObject({ status: 'open' });
    expect(await live()).toBeNull();
    expect(await accept({ accept_breaks: true })).toMatchObject({ status: 'accepted' });
    expect(await live()).toBe(first);
  });

  it('lets an activation pass with which nothing breaks', async () => {
    others.breaking = [];
    expect(await activate()).toMatchObject({ is_current: true });
  });

  it.each([false, undefined])('leaves the plain activation as it was where it is %s', async (policy) => {
    others.policy = policy;
    await expect(activate({ accept_breaks: false })).rejects.toMatchObject(refused);
    expect(await activate()).toMatchObject({ is_current: true });
  });

  it('refuses while it cannot be read, since nobody knows who may make a version live', async () => {
    others.away = true;
    await expect(activate()).rejects.toMatchObject({ code: 'service_unavailable' });
    await expect(activate({ accept_breaks: true })).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await live()).toBeNull();
    others.away = false;
    expect(await activate({ accept_breaks: true })).toMatchObject({ is_current: true });
  });

  it('does not stop a template from being unarchived: the live version was guarded before', async () => {
    await activate({ accept_breaks: true });
    const named = { params: { id } };
    await ask(archiveTemplate(world()), named, ada);
    expect(await ask(unarchiveTemplate(world()), named, ada)).toMatchObject({ changed: true });
    expect(await live()).toBe(first);
  });
});
