import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createModal, listTemplates, listTemplateVersions } from '@stanza/contracts';
import type { Api } from '../kit/api.ts';
import { openWorld, type World } from '../kit/stack.ts';
import { stanzaCommand } from '../kit/stanza-command.ts';
import { liveTemplate } from '../kit/templates.ts';

describe('promotion by the command', () => {
  let world: World;
  let preview: Api;
  let production: Api;
  let keys: { preview: string; production: string };
  let home: string;

  beforeAll(async () => {
    world = await openWorld();
    const organization = await world.newOrganization();
    const { key: ofPreview } = await organization.key({ environment: 'preview' });
    const { key: ofProduction } = await organization.key();
    keys = { preview: ofPreview, production: ofProduction };
    preview = world.api.with(ofPreview);
    production = world.api.with(ofProduction);
    home = await mkdtemp(join(tmpdir(), 'stanza-home-'));
    for (const [profile, key] of Object.entries(keys)) {
      const words = ['--profile', profile, 'login', '--url', world.api.base];
      await stanzaCommand(words, { env: { HOME: home }, input: key });
    }
    await liveTemplate(preview);
  });
  afterAll(async () => {
    await rm(home, { recursive: true, force: true });
    await world.close();
  });

  const promote = (...words: string[]) =>
    stanzaCommand(['--profile', 'production', 'promote', ...words], { env: { HOME: home } });

  it('shows what it would copy, asks in production, and copies once', async () => {
    const words = ['deploy-alert', '--from-profile', 'preview', '--activate'];
    const foreseen = await promote(...words, '--dry-run');
    expect(foreseen).toMatchObject({ code: 0, out: expect.stringContaining('created') });
    expect((await production.ok(listTemplates, {})).data).toEqual([]);
    expect(await promote(...words)).toMatchObject({ code: 1, notes: expect.stringContaining('--yes') });
    expect((await promote(...words, '--yes')).code).toBe(0);
    expect(await promote(...words, '--yes')).toMatchObject({ code: 0, out: 'nothing to copy' });
    const [copied] = (await production.ok(listTemplates, { query: { key: 'deploy-alert' } })).data;
    const { data } = await production.ok(listTemplateVersions, { params: { id: copied?.id ?? '' } });
    expect(data.map((it) => [it.version_number, it.is_current])).toEqual([[1, true]]);
  });

  it('takes the key of the other environment from a variable too, and needs one', async () => {
    const env = { STANZA_URL: world.api.base, STANZA_KEY: keys.production };
    const words = ['promote', 'deploy-alert', '--dry-run'];
    const without = await stanzaCommand(words, { env });
    expect(without.code).toBe(1);
    const given = await stanzaCommand(words, { env: { ...env, STANZA_SOURCE_KEY: keys.preview } });
    expect(given.code).toBe(0);
  });

  it('refuses what names something that is not there, and says what', async () => {
    const { id: modal_id } = await preview.ok(createModal, {
      body: {
        name: 'Refund',
        title: 'Refund',
        activate: true,
        blocks: [{ type: 'section', text: { type: 'plain_text', text: 'Sure?' } }],
      },
    });
    const button = {
      type: 'button',
      action_id: 'refund',
      text: { type: 'plain_text', text: 'Refund' },
      interaction: [{ type: 'open_modal', modal_id }],
    };
    await liveTemplate(preview, [{ type: 'actions', elements: [button] }], { name: 'Refunds' });
    const refused = await promote('refunds', '--from-profile', 'preview', '--yes');
    expect(refused).toMatchObject({ code: 1, notes: expect.stringContaining('Nothing was copied') });
    const { data } = await production.ok(listTemplates, { query: { key: 'refunds' } });
    expect(data).toEqual([]);
  });
});
