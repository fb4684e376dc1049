import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Principal } from '@stanza/contracts';
import { newId } from '@stanza/runtime';
import { askWhy, newModal } from '../testing/modals.ts';
import { type Colleagues, colleagues } from '../testing/policies.ts';
import { type Neighbours, neighboursOf, promote } from '../testing/promotion.ts';
import { ask, greeting, newTemplate, openWorld, type World } from '../testing/world.ts';
import { acceptTemplateProposal } from './accept-template-proposal.ts';
import { activateModalVersion } from './activate-modal-version.ts';
import { activateTemplateVersion } from './activate-template-version.ts';
import { appendModalVersion } from './append-modal-version.ts';
import { appendTemplateVersion } from './append-template-version.ts';
import { archiveTemplate } from './archive-template.ts';
import { duplicateTemplate } from './duplicate-template.ts';
import { getModal } from './get-modal.ts';
import { getTemplate } from './get-template.ts';
import { proposeTemplateVersion } from './propose-template-version.ts';
import { putTemplateDraft } from './put-template-draft.ts';
import { saveTemplateDraft } from './save-template-draft.ts';
import { setAgentSends } from './set-agent-sends.ts';
import { unarchiveTemplate } from './unarchive-template.ts';
import { updateModal } from './update-modal.ts';
import { updateTemplate } from './update-template.ts';

/** What is tried: the template `template`, or the modal `modal`, both of which Ada has made with her key. */
interface Case {
  world: World;
  template: string;
  modal: string;
}

/** Appends a version as Ada's key, and proposes it. */
const proposed = async ({ world, template: id }: Case, { key }: Colleagues) =>
  ask(proposeTemplateVersion(world), { params: { id }, body: { blocks: greeting } }, key);

const appended = async ({ world, template: id }: Case, { key }: Colleagues) =>
  (await ask(appendTemplateVersion(world), { params: { id }, body: { blocks: greeting } }, key)).id;

const section = (text: string) => [{ type: 'section', id: 's', text: { type: 'mrkdwn', text } }];

/** What archives the template, whose live version Ada's key has written, and takes it back into service. */
const unarchived = async ({ world, template }: Case, us: Colleagues, by: Principal) => {
  const named = { params: { id: template } };
  await ask(archiveTemplate(world), named, us.key);
  return ask(unarchiveTemplate(world), named, by);
};

/** Every way to make live what Ada's key has written, by whom it is tried. */
const ways: Record<string, (it: Case, us: Colleagues, by: Principal) => Promise<unknown>> = {
  'activating a version': async (it, us, by) =>
    ask(
      activateTemplateVersion(it.world),
      {
        params: { id: it.template, version_id: await appended(it, us) },
        body: { accept_breaks: true },
      },
      by,
    ),
  'accepting a proposal': async (it, us, by) => {
    const { id } = await proposed(it, us);
    const params = { id: it.template, proposal_id: id };
    return ask(acceptTemplateProposal(it.world), { params, body: {} }, by);
  },
  'activating the version of a proposal': async (it, us, by) => {
    const { version_id } = await proposed(it, us);
    const params = { id: it.template, version_id };
    return ask(activateTemplateVersion(it.world), { params, body: {} }, by);
  },
  'activating a version of a modal': async (it, us, by) => {
    const { id: version_id } = await ask(
      appendModalVersion(it.world),
      { params: { id: it.modal }, body: { blocks: askWhy, sample_data: {}, activate: false } },
      us.key,
    );
    return ask(activateModalVersion(it.world), { params: { id: it.modal, version_id } }, by);
  },
  'unarchiving a template with a live version': unarchived,
};

/** Ways in which whoever makes something live is its author, too. */
const own: Record<string, (it: Case, us: Colleagues, by: Principal) => Promise<unknown>> = {
  'promoting with activation': async (it, us, by) => {
    const there: Principal = { ...us.key, environment: 'preview' };
    await newTemplate(it.world, there, { name: 'News', blocks: section('one') });
    return promote(it.world, by, { keys: ['news'], activate: true }, there);
  },
  'creating an active modal': (it, _, by) => newModal(it.world, by, { activate: true }),
  'appending an active version to a modal': (it, _, by) =>
    ask(
      appendModalVersion(it.world),
      { params: { id: it.modal }, body: { blocks: askWhy, sample_data: {}, activate: true } },
      by,
    ),
};

/** Changes of settings, which show in what is live at once. */
const settings: Record<string, (it: Case, us: Colleagues, by: Principal) => Promise<unknown>> = {
  'changing a setting of a live template': ({ world, template }, _, by) =>
    ask(updateTemplate(world), { params: { id: template }, body: { strict: true } }, by),
  'saving a draft with a setting': async ({ world, template }, _, by) => {
    const params = { id: template };
    await ask(
      putTemplateDraft(world),
      {
        params,
        body: {
          blocks: greeting,
          metadata: { user_name: 'Deploys' },
          sample_data: null,
          base_version_id: null,
        },
      },
      by,
    );
    return ask(saveTemplateDraft(world), { params, body: {} }, by);
  },
  'changing the title of an active modal': ({ world, modal }, _, by) =>
    ask(updateModal(world), { params: { id: modal }, body: { title: 'Other' } }, by),
};

describe('the policy activation', () => {
  const policy: Neighbours = {
    destinations: [],
    queues: [],
    breaking: [],
    guard_activation: false,
    activation: 'anyone',
  };
  let it_: Case;
  let us: Colleagues;

  beforeAll(async () => {
    const world = await openWorld(neighboursOf(policy));
    it_ = { world, template: '', modal: '' };
  });
  afterAll(() => it_.world.close());

  beforeEach(async () => {
    policy.activation = 'anyone';
    policy.tightened = undefined;
    policy.may = true;
    us = colleagues();
    const { id, version } = await newTemplate(it_.world, us.key);
    const params = { id, version_id: version.id };
    await ask(activateTemplateVersion(it_.world), { params, body: {} }, us.key);
    const modal = await newModal(it_.world, us.key, { activate: true });
    it_ = { ...it_, template: id, modal: modal.id };
  });

  const live = async () => {
    const {
      current_version_id,
      updated_at: _,
      current_version,
      ...said
    } = await ask(getTemplate(it_.world), { params: { id: it_.template } }, us.key);
    const modal = await ask(getModal(it_.world), { params: { id: it_.modal } }, us.key);
    return [current_version_id, said.strict, said.user_name, modal.current_version_id, modal.title];
  };
  const refused = async (trying: Promise<unknown>) => {
    const before = await live();
    await expect(trying).rejects.toMatchObject({ code: 'activation_refused' });
    expect(await live()).toEqual(before);
  };
  const all = Object.entries({ ...ways, ...own, ...settings });

  it.each(all)('lets anybody with the scope: %s', async (_, way) => {
    await expect(way(it_, us, us.key)).resolves.toBeDefined();
  });

  it.each(all)('lets a person, and no key: %s', async (_, way) => {
    policy.activation = 'person';
    await refused(way(it_, us, us.key));
    await expect(way(it_, us, us.ada)).resolves.toBeDefined();
  });

  it.each(Object.entries(ways))('lets another person, and neither author nor key: %s', async (_, way) => {
    policy.activation = 'another_person';
    await refused(way(it_, us, us.key));
    await refused(way(it_, us, us.ada));
    await expect(way(it_, us, us.grace)).resolves.toBeDefined();
  });

  it.each(Object.entries(own))('lets nobody make live what they write: %s', async (_, way) => {
    policy.activation = 'another_person';
    await refused(way(it_, us, us.key));
    await refused(way(it_, us, us.grace));
  });

  it.each([
    [
      'activating a version',
      /POST .*proposals, and let a person accept it/,
      /POST .*let another person accept it/,
    ],
    ['activating a version of a modal', /let a person make it live/, /let another person make it live/],
    [
      'unarchiving a template with a live version',
      /let a person unarchive it/,
      /let another person unarchive/,
    ],
    [
      'promoting with activation',
      /without `activate`, and let a person/,
      /without `activate`, and let another/,
    ],
  ])('names a way that there is: %s', async (name, byPerson, byAnother) => {
    const way = { ...ways, ...own }[name];
    policy.activation = 'person';
    await expect(way?.(it_, us, us.key)).rejects.toMatchObject({ message: expect.stringMatching(byPerson) });
    policy.activation = 'another_person';
    await expect(way?.(it_, us, us.ada)).rejects.toMatchObject({ message: expect.stringMatching(byAnother) });
  });

  it('refuses whoever proposes the version of somebody else', async () => {
    policy.activation = 'another_person';
    const version_id = await appended(it_, us);
    const params = { id: it_.template };
    const { id: proposal_id } = await ask(
      proposeTemplateVersion(it_.world),
      { params, body: { version_id } },
      us.grace,
    );
    const accepting = { params: { ...params, proposal_id }, body: {} };
    await refused(ask(acceptTemplateProposal(it_.world), accepting, us.grace));
    await refused(ask(acceptTemplateProposal(it_.world), accepting, us.ada));
  });

  it('counts everybody who wrote a draft as an author, beside whoever saved it', async () => {
    policy.activation = 'another_person';
    const { world, template: id } = it_;
    const somebodyElse = () => ({
      ...us.ada,
      actor: { type: 'session' as const, id: newId(), user_id: newId() },
    });
    const write = (text: string, by: Principal, base: string | null = null) =>
      ask(
        putTemplateDraft(world),
        {
          params: { id },
          body: { blocks: section(text), metadata: {}, sample_data: null, base_version_id: base },
        },
        by,
      );
    const saver = somebodyElse();
    const save = async () => (await ask(saveTemplateDraft(world), { params: { id }, body: {} }, saver)).id;
    const activate = (version_id: string, by: Principal) =>
      ask(activateTemplateVersion(world), { params: { id, version_id }, body: {} }, by);
    await write('one', us.key);
    await write('two', us.grace);
    const version = await save();
    for (const author of [us.ada, us.grace, saver]) await refused(activate(version, author));
    await expect(activate(version, somebodyElse())).resolves.toMatchObject({ status: 'active' });

    await write('three', us.grace);
    const next = await save();
    await expect(activate(next, us.ada)).resolves.toMatchObject({ status: 'active' });
  });

  describe('with another person than the author', () => {
    const lin = () => ({ ...us.ada, actor: { type: 'session' as const, id: newId(), user_id: newId() } });
    const activate = (id: string, version_id: string, by: Principal) =>
      ask(activateTemplateVersion(it_.world), { params: { id, version_id }, body: {} }, by);
    const onlyLin = async (id: string, version_id: string) => {
      for (const by of [us.ada, us.grace]) await refused(activate(id, version_id, by));
      await expect(activate(id, version_id, lin())).resolves.toMatchObject({ status: 'active' });
    };
    beforeEach(() => {
      policy.activation = 'another_person';
    });

    it('counts the authors of the original as authors of a copy', async () => {
      const copying = { params: { id: it_.template }, body: { name: 'Copy' } };
      const { id, version } = await ask(duplicateTemplate(it_.world), copying, us.grace);
      await onlyLin(id, version.id);
    });

    it('counts the authors of the source as authors of what is promoted', async () => {
      const there: Principal = { ...us.key, environment: 'preview' };
      await newTemplate(it_.world, there, { name: 'News', blocks: section('one') });
      const { templates } = await promote(it_.world, us.grace, { keys: ['news'] }, there);
      const [{ template_id = null, version_id = null } = {}] = templates;
      await onlyLin(template_id ?? '', version_id ?? '');
    });

    it('counts who wrote the settings that become live with the first version', async () => {
      const { id } = await newTemplate(it_.world, us.key, { user_name: 'Deploys' });
      const appending = { params: { id }, body: { blocks: greeting } };
      const { id: version_id } = await ask(appendTemplateVersion(it_.world), appending, us.grace);
      await onlyLin(id, version_id);
      await expect(activate(id, version_id, us.ada)).resolves.toMatchObject({ status: 'active' });
    });

    it.each(Object.entries(settings))('lets nobody change what readers see at once: %s', async (_, way) => {
      for (const by of [us.key, us.ada, us.grace]) await refused(way(it_, us, by));
    });

    it('lets people, and no key, switch on that agents send a template', async () => {
      const switching = { params: { id: it_.template }, body: { enabled: true } };
      await refused(ask(setAgentSends(it_.world), switching, us.key));
      expect(await ask(setAgentSends(it_.world), switching, us.ada)).toMatchObject({ agent_sends: true });
    });
  });

  it.each(['activating a version', 'accepting a proposal', 'activating the version of a proposal'])(
    'counts a policy that is tightened after it was first read: %s',
    async (way) => {
      policy.tightened = 'another_person';
      await refused(ways[way]?.(it_, us, us.ada) ?? Promise.resolve());
    },
  );

  it('counts a scope that is taken away meanwhile', async () => {
    policy.may = false;
    const version_id = await appended(it_, us);
    const activating = { params: { id: it_.template, version_id }, body: {} };
    await expect(ask(activateTemplateVersion(it_.world), activating, us.ada)).rejects.toMatchObject({
      code: 'access_denied',
    });
  });

  it('keeps the steps of an active modal, and lets nobody activate steps of their own', async () => {
    policy.activation = 'another_person';
    const { world } = it_;
    const steps = [{ title: 'One', blocks: askWhy }];
    const change = (id: string, body: object, by: Principal) =>
      ask(updateModal(world), { params: { id }, body }, by);
    for (const by of [us.key, us.ada, us.grace]) await refused(change(it_.modal, { steps }, by));

    const { id, version } = await newModal(world, us.key);
    await change(id, { steps }, us.grace);
    const activating = { params: { id, version_id: version.id } };
    for (const by of [us.ada, us.grace]) await refused(ask(activateModalVersion(world), activating, by));
    await change(id, { steps: null }, us.ada);
    await expect(ask(activateModalVersion(world), activating, us.grace)).resolves.toMatchObject({
      status: 'active',
    });
  });

  it('lets a key take out of service, and back what was never live', async () => {
    policy.activation = 'another_person';
    const { id } = await newTemplate(it_.world, us.key);
    const named = { params: { id } };
    expect(await ask(archiveTemplate(it_.world), named, us.key)).toMatchObject({ changed: true });
    expect(await ask(unarchiveTemplate(it_.world), named, us.key)).toMatchObject({ changed: true });
  });

  it('leaves labels, and settings of what is not live, to keys', async () => {
    policy.activation = 'person';
    const update = (id: string, body: object) =>
      ask(updateTemplate(it_.world), { params: { id }, body }, us.key);
    expect(await update(it_.template, { name: 'Other' })).toMatchObject({ name: 'Other' });
    const { id } = await newTemplate(it_.world, us.key);
    expect(await update(id, { strict: true })).toMatchObject({ strict: true });
  });
});
