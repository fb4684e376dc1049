import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type Block,
  type InputOf,
  limits,
  matchDestinations,
  measureImpact,
  type rollOutPartial as rolling,
  type TemplateImpact,
} from '@stanza/contracts';
import { partialsIn } from '@stanza/engine';
import { handle, newId } from '@stanza/runtime';
import { newPartial, use } from '../testing/partials.ts';
import { type Colleagues, colleagues, organizationWith, type Policy } from '../testing/policies.ts';
import { ask, newTemplate, openWorld, recordedAudit, type World } from '../testing/world.ts';
import { activatePartialVersion } from './activate-partial-version.ts';
import { activateTemplateVersion } from './activate-template-version.ts';
import { appendPartialVersion } from './append-partial-version.ts';
import { appendTemplateVersion } from './append-template-version.ts';
import { archiveTemplate } from './archive-template.ts';
import { getPartialImpact } from './get-partial-impact.ts';
import { getPartialUse } from './get-partial-use.ts';
import { getTemplate } from './get-template.ts';
import { getTemplateVersion } from './get-template-version.ts';
import { listPartialVersions } from './list-partial-versions.ts';
import { listTemplateProposals } from './list-template-proposals.ts';
import { listTemplateVersions } from './list-template-versions.ts';
import { rollOutPartial } from './roll-out-partial.ts';

const page = { limit: 20, offset: 0 };
const line = (text: string) => [{ type: 'context', elements: [{ type: 'mrkdwn', text }] }];

describe('a new version of a partial', () => {
  let world: World;
  let us: Colleagues;
  let footer: string;
  const policy: Policy = { activation: 'anyone' };
  let measured: unknown[] = [];
  /** What somebody else does while an impact is measured. */
  let meanwhile = async (): Promise<unknown> => undefined;
  /** Destinations that exist, of every tenant. */
  const destinations = new Set<string>();
  const noImpact = { same: 1, changed: 2, warning: 0, breaks: 0 };

  beforeAll(async () => {
    const impact = handle(measureImpact, async ({ input }) => {
      measured.push(input.blocks);
      await meanwhile();
      const inputs = { required: [], added: [], gone: [], retyped: [] };
      const versions = { version_id: null, current_version_id: null };
      const answer: TemplateImpact = {
        template_id: input.template_id,
        ...versions,
        inputs,
        data: [],
        summary: noImpact,
        not_looked_at: [],
      };
      return answer;
    });
    const matched = handle(matchDestinations, async ({ input: { ids } }) => ({
      matches: ids.filter((id) => destinations.has(id)).map((id) => ({ id, key: 'hook', match: id })),
    }));
    world = await openWorld([organizationWith(policy), impact, matched]);
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    measured = [];
    meanwhile = async () => undefined;
    policy.activation = 'anyone';
    us = colleagues();
    footer = (await newPartial(world, us.key, { key: 'footer' })).id;
  });

  const liveTemplate = async (key: string, blocks: Block[]) => {
    const { id, version } = await newTemplate(world, us.key, { key, name: key, blocks });
    const params = { id, version_id: version.id };
    await ask(activateTemplateVersion(world), { params, body: {} }, us.key);
    return id;
  };
  const nextFooter = async (text: string) => {
    const params = { id: footer };
    const { id } = await ask(appendPartialVersion(world), { params, body: { blocks: line(text) } }, us.key);
    await ask(activatePartialVersion(world), { params: { ...params, version_id: id }, body: {} }, us.key);
  };
  const rollOut = async (body: Partial<InputOf<typeof rolling>['body']> = {}, by = us.key) =>
    ask(rollOutPartial(world), { params: { id: footer }, body: { activate: false, ...body } }, by);
  const outcomes = async (...asked: Parameters<typeof rollOut>) =>
    (await rollOut(...asked)).results.map(({ key, outcome, version_number }) => [
      key,
      outcome,
      version_number,
    ]);
  const versionsOf = async (id: string) =>
    (await ask(listTemplateVersions(world), { params: { id }, query: page }, us.key)).data;
  const partialsOf = async (id: string) => {
    const [newest] = await versionsOf(id);
    const params = { id, version_id: newest?.id ?? '' };
    return partialsIn((await ask(getTemplateVersion(world), { params }, us.key)).blocks);
  };
  const useOf = (query = page) => ask(getPartialUse(world), { params: { id: footer }, query }, us.key);
  const usedBy = async () => (await useOf()).data;

  it('is listed beside the versions that templates and partials hold', async () => {
    await liveTemplate('alert', [use('footer', { author: 'a' })]);
    const { id } = await newTemplate(world, us.key, { key: 'draft', blocks: line('x') });
    const blocks = [use('footer', { author: 'b' })];
    await ask(appendTemplateVersion(world), { params: { id }, body: { blocks } }, us.key);
    await newPartial(world, us.key, { key: 'closing', blocks: [use('footer', { author: 'author' })] });
    await liveTemplate('other', line('x'));
    await nextFooter('from {{author}}');
    expect(await usedBy()).toMatchObject([
      { kind: 'partial', key: 'closing', live: { partial_versions: [1] }, is_behind: true },
      { kind: 'template', key: 'alert', live: { partial_versions: [1] }, is_behind: true },
      { kind: 'template', key: 'draft', live: null, newest: { version_number: 2, partial_versions: [1] } },
    ]);
  });

  it('is counted beyond the last page of what uses it too', async () => {
    await liveTemplate('alert', [use('footer', { author: 'a' })]);
    const beyond = { limit: 20, offset: 20 };
    expect(await useOf(beyond)).toEqual({ data: [], pagination: { ...beyond, total: 1 } });
  });

  it('makes a version of each template that holds another one, once, and leaves live what is', async () => {
    const alert = await liveTemplate('alert', [use('footer', { author: 'a' }), ...line('x')]);
    const before = await ask(getTemplate(world), { params: { id: alert } }, us.key);
    expect(await outcomes()).toEqual([]);
    await nextFooter('from {{author}}');
    expect(await outcomes({ note: 'new footer' })).toEqual([['alert', 'created', 2]]);
    expect(await outcomes()).toEqual([['alert', 'unchanged', 2]]);
    expect(await versionsOf(alert)).toHaveLength(2);
    expect(await partialsOf(alert)).toEqual([{ key: 'footer', version: 2 }]);
    const after = await ask(getTemplate(world), { params: { id: alert } }, us.key);
    expect(after.current_version_id).toBe(before.current_version_id);
    const added = (await recordedAudit(world, us.key)).filter(
      ({ action }) => action === 'template.version_added',
    );
    expect(added.map(({ changes }) => changes.partial)).toEqual(['footer']);
  });

  it('makes one version where two roll-outs come at once', async () => {
    const alert = await liveTemplate('alert', [use('footer', { author: 'a' })]);
    await nextFooter('from {{author}}');
    await Promise.all([rollOut(), rollOut(), rollOut()]);
    expect(await versionsOf(alert)).toHaveLength(2);
  });

  it('becomes live in each where that is asked for, and then nothing is behind', async () => {
    const alert = await liveTemplate('alert', [use('footer', { author: 'a' })]);
    await newPartial(world, us.key, { key: 'closing', blocks: [use('footer', { author: 'author' })] });
    await nextFooter('from {{author}}');
    expect(await outcomes({ activate: true })).toEqual([
      ['closing', 'activated', 2],
      ['alert', 'activated', 2],
    ]);
    const { current_version } = await ask(getTemplate(world), { params: { id: alert } }, us.key);
    expect(current_version).toMatchObject({ version_number: 2, note: null });
    expect(await outcomes({ activate: true })).toEqual([]);
    expect((await usedBy()).map(({ is_behind }) => is_behind)).toEqual([false, false]);
  });

  it('is rolled out to the templates that are named alone', async () => {
    await liveTemplate('alert', [use('footer', { author: 'a' })]);
    await liveTemplate('report', [use('footer', { author: 'a' })]);
    await nextFooter('from {{author}}');
    expect(await outcomes({ template_keys: ['report'] })).toEqual([['report', 'created', 2]]);
  });

  it('answers what became of each, where some cannot have it', async () => {
    await liveTemplate('alert', [use('footer', { author: 'a' })]);
    const old = await liveTemplate('old', [use('footer', { author: 'a' })]);
    await ask(archiveTemplate(world), { params: { id: old } }, us.key);
    await nextFooter('from {{author}}, {{team}}');
    const { results } = await rollOut({ template_keys: ['alert', 'old'] });
    expect(results).toMatchObject([
      {
        key: 'alert',
        outcome: 'failed',
        error: 'compilation_failed',
        problems: [{ rule: 'with.not_given', pointer: '/blocks/0' }],
        version_id: null,
      },
      { key: 'old', outcome: 'failed', error: 'invalid_state' },
    ]);
    expect(await versionsOf(old)).toHaveLength(1);
  });

  it('A roll-out passes by what is archived, however much of it there is', async () => {
    for (let count = 0; count <= limits.rolledOutTemplates; count += 1) {
      const id = await liveTemplate(`a-${count}`, [use('footer', { author: 'a' })]);
      await ask(archiveTemplate(world), { params: { id } }, us.key);
    }
    await liveTemplate('in-use', [use('footer', { author: 'a' })]);
    await nextFooter('from {{author}}!');
    const asked = { params: { id: footer }, body: { blocks: line('{{author}}') } };
    expect(await ask(getPartialImpact(world), asked, us.key)).toMatchObject({
      templates: [{ key: 'in-use' }],
      not_looked_at: 0,
    });
    expect((await usedBy()).some(({ is_behind }) => is_behind)).toBe(false);
    expect(await rollOut()).toMatchObject({ results: [{ key: 'in-use' }], remaining: 0 });
  });

  it('becomes live in no template whose version, made before, names a destination that is gone', async () => {
    const destination_id = newId();
    destinations.add(destination_id);
    const interaction = [{ type: 'call_destination', destination_id }];
    const text = { type: 'plain_text', text: 'Go' };
    const buttons = { type: 'actions', elements: [{ type: 'button', text, interaction }] };
    const alert = await liveTemplate('alert', [use('footer', { author: 'a' }), buttons]);
    await nextFooter('from {{author}}');
    expect(await outcomes()).toEqual([['alert', 'created', 2]]);
    destinations.delete(destination_id);
    expect((await rollOut({ activate: true })).results).toMatchObject([
      { outcome: 'failed', error: 'compilation_failed', problems: [{ rule: 'reference.unknown' }] },
    ]);
    expect(await versionsOf(alert)).toMatchObject([{ is_current: false }, { is_current: true }]);
  });

  it('becomes live in no template that is archived while its impact is measured', async () => {
    const alert = await liveTemplate('alert', [use('footer', { author: 'a' })]);
    await nextFooter('from {{author}}');
    meanwhile = () => ask(archiveTemplate(world), { params: { id: alert } }, us.key);
    expect((await rollOut({ activate: true, accept_breaks: false })).results).toMatchObject([
      { outcome: 'failed', error: 'invalid_state' },
    ]);
    expect(await versionsOf(alert)).toMatchObject([{ is_current: false }, { is_current: true }]);
  });

  it.each([
    ['nothing', 2, async () => undefined],
    [
      'another draft',
      3,
      (id: string) =>
        ask(appendTemplateVersion(world), { params: { id }, body: { blocks: line('x') } }, us.key),
    ],
  ])(
    'stays out of use where another version was made live since, and %s was written',
    async (_, last, write) => {
      const alert = await liveTemplate('alert', [use('footer', { author: 'a' })]);
      const before = await ask(getTemplate(world), { params: { id: alert } }, us.key);
      await nextFooter('from {{author}}');
      expect(await outcomes({ activate: true })).toEqual([['alert', 'activated', 2]]);
      const back = { id: alert, version_id: before.current_version_id ?? '' };
      await ask(activateTemplateVersion(world), { params: back, body: {} }, us.key);
      await write(alert);
      for (const template_keys of [undefined, ['alert']]) {
        expect(await outcomes({ activate: true, template_keys })).toEqual([['alert', 'unchanged', 2]]);
      }
      const after = await ask(getTemplate(world), { params: { id: alert } }, us.key);
      expect(after.current_version_id).toBe(before.current_version_id);
      expect(await versionsOf(alert)).toHaveLength(last);
    },
  );

  it('A partial is rolled back by a roll-out, and that is not undone by hand or by a repeat', async () => {
    const alert = await liveTemplate('alert', [use('footer', { author: 'a' })]);
    await nextFooter('from {{author}}');
    expect(await outcomes({ activate: true })).toEqual([['alert', 'activated', 2]]);
    const versions = await ask(listPartialVersions(world), { params: { id: footer }, query: page }, us.key);
    const back = { id: footer, version_id: versions.data.at(-1)?.id ?? '' };
    await ask(activatePartialVersion(world), { params: back, body: {} }, us.key);
    expect(await outcomes()).toEqual([['alert', 'unchanged', 1]]);
    expect(await outcomes({ activate: true })).toEqual([['alert', 'activated', 1]]);
    expect(await versionsOf(alert)).toMatchObject([{ is_current: false }, { is_current: true }]);
    expect(await outcomes({ activate: true })).toEqual([]);
    const forth = { id: alert, version_id: (await versionsOf(alert))[0]?.id ?? '' };
    await ask(activateTemplateVersion(world), { params: forth, body: {} }, us.key);
    expect(await outcomes({ activate: true })).toEqual([['alert', 'unchanged', 1]]);
  });

  it('becomes live in nothing of which no version is live', async () => {
    const blocks = [use('footer', { author: 'a' })];
    const { id } = await newTemplate(world, us.key, { key: 'draft', name: 'draft', blocks });
    await nextFooter('from {{author}}');
    expect(await outcomes({ activate: true })).toEqual([['draft', 'created', 2]]);
    expect(await outcomes({ activate: true })).toEqual([]);
    expect(await ask(getTemplate(world), { params: { id } }, us.key)).toMatchObject({
      current_version_id: null,
    });
  });

  it('leaves out names that it does not read any more', async () => {
    const alert = await liveTemplate('alert', [use('footer', { author: 'a' })]);
    await nextFooter('the end');
    expect(await outcomes()).toEqual([['alert', 'created', 2]]);
    expect(await partialsOf(alert)).toEqual([{ key: 'footer', version: 2 }]);
  });

  it('is proposed where the policy lets the caller make nothing live, once', async () => {
    const alert = await liveTemplate('alert', [use('footer', { author: 'a' })]);
    await nextFooter('from {{author}}');
    policy.activation = 'another_person';
    const [first] = (await rollOut({ activate: true })).results;
    expect(first).toMatchObject({ outcome: 'proposed', version_number: 2, proposal_id: expect.any(String) });
    for (const by of [us.key, { ...us.key, actor: { ...us.key.actor, user_id: newId() } }]) {
      expect((await rollOut({ activate: true }, by)).results).toMatchObject([{ ...first }]);
    }
    const query = { ...page, status: undefined };
    const proposals = await ask(listTemplateProposals(world), { params: { id: alert }, query }, us.key);
    expect(proposals.data).toHaveLength(1);
    expect(await versionsOf(alert)).toHaveLength(2);
  });

  it('that was never live becomes live in no template by its author, whoever saved the template', async () => {
    const next = { params: { id: footer }, body: { blocks: line('unseen') } };
    const { id: hidden } = await ask(appendPartialVersion(world), next, us.key);
    const blocks = [{ ...use('footer', {}), version: 2 }];
    const { id, version } = await newTemplate(world, us.grace, { key: 'alert', blocks });
    policy.activation = 'another_person';
    const activate = () =>
      ask(activateTemplateVersion(world), { params: { id, version_id: version.id }, body: {} }, us.ada);
    await expect(activate()).rejects.toMatchObject({ code: 'activation_refused' });
    const params = { id: footer, version_id: hidden };
    await ask(activatePartialVersion(world), { params, body: {} }, us.grace);
    await activate();
    expect(await ask(getTemplate(world), { params: { id } }, us.ada)).toMatchObject({
      current_version: { id: version.id },
    });
  });

  it('takes the scope to activate where it becomes live', async () => {
    const limited = { ...us.key, scopes: us.key.scopes.filter((scope) => scope !== 'templates:activate') };
    await expect(rollOut({ activate: true }, limited)).rejects.toMatchObject({ code: 'insufficient_scope' });
  });

  it('shows beforehand what it does to the stored data of templates', async () => {
    await liveTemplate('alert', [use('footer', { author: 'a' })]);
    await liveTemplate('report', [use('footer', { author: 'a' })]);
    const impact = (blocks: Block[]) =>
      ask(getPartialImpact(world), { params: { id: footer }, body: { blocks } }, us.key);
    expect(await impact(line('from {{author}}'))).toMatchObject({
      partial_id: footer,
      templates: [
        { key: 'alert', problems: [], summary: noImpact },
        { key: 'report', problems: [], summary: noImpact },
      ],
      not_looked_at: 0,
    });
    expect(JSON.stringify(measured)).toContain('from {{author}}');
    expect((await impact(line('{{team}}'))).templates).toMatchObject([
      { key: 'alert', problems: [{ rule: 'with.not_given' }], summary: null },
      { key: 'report', problems: [{ rule: 'with.not_given' }], summary: null },
    ]);
  });
});
