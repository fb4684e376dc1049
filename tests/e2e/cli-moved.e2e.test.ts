import { describe, expect, it } from '@jest/globals';
import { appendTemplateVersion, compileTemplate, listTemplates } from '@stanza/contracts';
import { messages } from '@stanza/gallery/exhibits';
import { corpusSamples } from '@stanza/sandbox/testing/corpus';
import { z } from 'zod';
import type { Api } from '../kit/api.ts';
import { sharedByTests } from '../kit/shared.ts';
import { openWorld } from '../kit/stack.ts';
import { TemplateFolder } from '../kit/template-folder.ts';
import { liveTemplate } from '../kit/templates.ts';

/** Native payloads of others, whose texts are no placeholders. A template takes two of the 120 requests that an organization may author with in a minute, so 50 templates stay below it however fast the test runs. */
const payloads = corpusSamples('valid')
  .filter(({ surface, blocks }) => surface === 'message' && !JSON.stringify(blocks).includes('{{'))
  .slice(0, 50 - messages.length)
  .map(({ file, blocks }) => ({
    key: `corpus-${file.replace('.json', '').toLowerCase()}`,
    blocks: z.array(z.unknown()).parse(blocks),
    data: {},
  }));

const shown = [
  ...messages.map(({ slug, source, data }) => ({ key: slug, blocks: source.blocks, data })),
  ...payloads,
];

describe('an environment that is exported and imported', () => {
  const world = sharedByTests(openWorld);

  const emptyEnvironment = async () => {
    const { key } = await (await world().newOrganization({ tier: 'enterprise' })).key();
    return { api: world().api.with(key), key };
  };

  /** The messages that the templates make, without the ids that the API filled in. */
  const made = (from: Api) =>
    Promise.all(
      shown.map(async ({ key, data }) => {
        const { blocks, text } = await from.ok(compileTemplate, { body: { template_key: key, data } });
        return JSON.stringify([key, blocks, text]).replaceAll(/(blk|act)_[0-9a-f-]{36}/g, '$1');
      }),
    );

  it('makes byte for byte the same messages of the gallery and of payloads of others', async () => {
    let { api, key } = await emptyEnvironment();
    await using folder = await TemplateFolder.make(() => ({ STANZA_URL: api.base, STANZA_KEY: key }));
    const ids = new Map<string, string>();
    for (const { key: name, blocks } of shown) {
      ids.set(name, (await liveTemplate(api, [...blocks], { name, key: name })).id);
    }
    const before = await made(api);
    const waiting = { params: { id: ids.get('incident') ?? '' }, body: { blocks: [{ type: 'divider' }] } };
    await api.ok(appendTemplateVersion, waiting);
    expect(await folder.run(['export', 'moved'])).toMatchObject({
      code: 0,
      notes: expect.stringContaining('left out, as an older version is live here: incident version 2'),
    });
    expect(await folder.run(['export', 'moved'])).toMatchObject({
      out: `${shown.length} unchanged`,
    });
    ({ api, key } = await emptyEnvironment());
    expect(await folder.run(['import', 'moved', '--yes'])).toMatchObject({ code: 0 });
    const { pagination } = await api.ok(listTemplates, {});
    expect(pagination.total).toBe(shown.length);
    expect(await made(api)).toEqual(before);
  });
});
