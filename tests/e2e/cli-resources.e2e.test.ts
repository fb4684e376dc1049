import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  activatePartialVersion,
  appendModalVersion,
  appendPartialVersion,
  createModal,
  createPartial,
} from '@stanza/contracts';
import type { Api } from '../kit/api.ts';
import { sharedByTests } from '../kit/shared.ts';
import { openWorld } from '../kit/stack.ts';
import { TemplateFolder } from '../kit/template-folder.ts';

const section = (text: string) => ({ type: 'section', text: { type: 'plain_text', text } });

describe('what stands in files besides templates', () => {
  const world = sharedByTests(openWorld);
  let api: Api;
  let key: string;
  beforeEach(async () => {
    ({ key } = await (await world().newOrganization()).key());
    api = world().api.with(key);
  });

  it('is shown as it is live and as it would be, where a version of a partial or modal waits', async () => {
    const partial = await api.ok(createPartial, {
      body: { name: 'Footer', key: 'footer', blocks: [section('Bye')] },
    });
    const version_id = partial.version.id;
    await api.ok(activatePartialVersion, { params: { id: partial.id, version_id } });
    await api.ok(appendPartialVersion, {
      params: { id: partial.id },
      body: { blocks: [section('Until then')] },
    });
    const modal = await api.ok(createModal, {
      body: { name: 'Ask', key: 'ask', title: 'Ask', activate: true, blocks: [section('Why?')] },
    });
    const asked = { blocks: [section('Why not?')], sample_data: { reason: 'none' } };
    await api.ok(appendModalVersion, { params: { id: modal.id }, body: asked });
    await api.ok(createPartial, { body: { name: 'New', key: 'new', blocks: [section('Never live')] } });

    await using folder = await TemplateFolder.make(() => ({ STANZA_URL: api.base, STANZA_KEY: key }));
    expect(await folder.run(['pull', '--yes'])).toMatchObject({ code: 0 });
    const { out } = await folder.run(['plan', '--activate', '--json']);
    const { resources } = JSON.parse(out);
    const text = (from: string, to: string) => ({
      changed: [{ changes: [{ pointer: '/blocks/0/text/text', from, to }] }],
    });
    expect(resources).toMatchObject([
      {
        key: 'modals/ask',
        status: 'unchanged',
        actions: ['activate'],
        about: [{ name: 'data', to: asked.sample_data }],
        blocks: text('Why?', 'Why not?'),
      },
      { key: 'partials/footer', about: [], blocks: text('Bye', 'Until then') },
      { key: 'partials/new', about: [], blocks: { added: [{ pointer: '/blocks/0' }] } },
    ]);
    expect((await folder.run(['plan', '--activate'])).out).toContain('Until then');
  });
});
