import { describe, expect, it } from '@jest/globals';
import type { Principal } from '@stanza/contracts';
import { newContext, newId } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import {
  ask,
  greeting,
  newTemplate,
  openWorld,
  recordedAudit,
  somebody,
  strangersTo,
} from '../testing/world.ts';
import { activateTemplateVersion } from './activate-template-version.ts';
import { appendTemplateVersion } from './append-template-version.ts';
import { archiveTemplate } from './archive-template.ts';
import { duplicateTemplate } from './duplicate-template.ts';
import { getTemplate } from './get-template.ts';
import { listTemplateActivations } from './list-template-activations.ts';

const farewell = [{ type: 'section', id: 'bye', text: { type: 'mrkdwn', text: 'Bye {{name}}' } }];

describe('duplicate-template', () => {
  const world = sharedByTests(openWorld);

  const of = (id: string, body: object = {}) => ({
    params: { id },
    body: { name: 'Copy', ...body },
  });
  const duplicate = (
    principal: Principal,
    id: string,
    body: object = {},
    context = newContext({ deadlineMs: 5_000, principal }),
  ) => ask(duplicateTemplate(world()), of(id, body), principal, context);
  const read = (principal: Principal, id: string) => ask(getTemplate(world()), { params: { id } }, principal);

  /** A template with two versions, the first of which is live. */
  const withLive = async (principal: Principal) => {
    const made = await newTemplate(world(), principal, { description: 'says hello', strict: true });
    const { id, version } = made;
    const second = { params: { id }, body: { blocks: farewell } };
    await ask(appendTemplateVersion(world()), second, principal);
    const live = { params: { id, version_id: version.id }, body: {} };
    await ask(activateTemplateVersion(world()), live, principal);
    return made;
  };

  it('copies metadata and the content of the live version, as a draft', async () => {
    const principal = somebody();
    const original = await withLive(principal);
    const copy = await duplicate(principal, original.id);
    expect(copy).toMatchObject({
      name: 'Copy',
      description: 'says hello',
      strict: true,
      lifecycle: 'active',
      current_version_id: null,
      version: { template_id: copy.id, version_number: 1, status: 'draft', is_current: false, note: null },
    });
    expect(copy.id).not.toBe(original.id);
    expect(copy.version.id).not.toBe(original.version.id);
    expect(copy.version.blocks).toEqual(original.version.blocks);
    const { version: _, ...template } = copy;
    expect(await read(principal, copy.id)).toEqual({ ...template, current_version: null, draft: null });
    const page = { params: { id: copy.id }, query: { limit: 20, offset: 0 } };
    expect((await ask(listTemplateActivations(world()), page, principal)).data).toEqual([]);
  });

  it('leaves the original unchanged', async () => {
    const principal = somebody();
    const { id } = await withLive(principal);
    const before = await read(principal, id);
    await duplicate(principal, id);
    expect(await read(principal, id)).toEqual(before);
  });

  it('takes the newest version where none is live, as a draft', async () => {
    const principal = somebody();
    const { id } = await newTemplate(world(), principal);
    const second = { params: { id }, body: { blocks: farewell } };
    await ask(appendTemplateVersion(world()), second, principal);
    const copy = await duplicate(principal, id);
    expect(copy).toMatchObject({
      current_version_id: null,
      version: { version_number: 1, status: 'draft', blocks: farewell },
    });
  });

  it('makes an unarchived copy of an archived template, without a live version', async () => {
    const principal = somebody();
    const { id } = await withLive(principal);
    await ask(archiveTemplate(world()), { params: { id } }, principal);
    const copy = await duplicate(principal, id);
    expect(copy).toMatchObject({ lifecycle: 'active', current_version_id: null, archived_at: null });
    expect(copy.version.blocks).toMatchObject(greeting);
  });

  it('takes the description of the request, also null', async () => {
    const principal = somebody();
    const { id } = await withLive(principal);
    expect(await duplicate(principal, id, { description: 'another' })).toMatchObject({
      description: 'another',
    });
    expect(await duplicate(principal, id, { description: null })).toMatchObject({ description: null });
  });

  it('repeated by one operation, makes one copy and answers it both times', async () => {
    const principal = somebody();
    const { id } = await withLive(principal);
    const context = newContext({ deadlineMs: 5_000, principal });
    const answers = await Promise.all([1, 2, 3].map(() => duplicate(principal, id, {}, context)));
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    const actions = (await recordedAudit(world(), principal)).map((entry) => entry.action);
    expect(actions.filter((action) => action === 'template.created')).toHaveLength(2);
  });

  it('is audited with the id of the original', async () => {
    const principal = somebody();
    const { id } = await withLive(principal);
    const copy = await duplicate(principal, id);
    const version_id = copy.version.id;
    const subject = { kind: 'template', id: copy.id };
    expect((await recordedAudit(world(), principal)).slice(-1)).toMatchObject([
      {
        action: 'template.created',
        subject,
        changes: { name: 'Copy', type: 'message', version_id, duplicate_of: id },
      },
    ]);
  });

  it('requires the scope to read templates, since it shows their content', async () => {
    const principal = somebody();
    const { id } = await withLive(principal);
    const creator = { ...principal, scopes: ['templates:create' as const] };
    await expect(duplicate(creator, id)).rejects.toMatchObject({
      code: 'insufficient_scope',
      facts: { required_scopes: ['templates:read'] },
    });
  });

  it('answers not_found for an unknown template and one of another tenant', async () => {
    const principal = somebody();
    const { id } = await withLive(principal);
    await expect(duplicate(principal, newId())).rejects.toMatchObject({ code: 'template_not_found' });
    for (const stranger of strangersTo(principal))
      await expect(duplicate(stranger, id)).rejects.toMatchObject({ code: 'template_not_found' });
  });
});
