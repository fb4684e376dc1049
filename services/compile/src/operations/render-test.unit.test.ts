import { describe, expect, it } from '@jest/globals';
import type { Block, getPreviewSource, InputOf, renderTest as operation, ReplyOf } from '@stanza/contracts';
import { newId, systemClock } from '@stanza/runtime';
import { runInProcess } from '@stanza/test-kit/database';
import { previewing } from '../testing/compile-service.ts';
import { contextOf, somebody } from '../testing/neighbours.ts';
import { renderTest } from './render-test.ts';

type Source = ReplyOf<typeof getPreviewSource>;

const source = {
  template_name: 'Greeting',
  version_number: 3,
  sample_data: { name: 'Ada' },
  fallback_text: 'A greeting',
  locale: 'de-DE',
  timezone: null,
  strict: true,
  user_name: 'Greeter',
  icon_emoji: ':wave:',
  is_archived: false,
};

const open = (more: Partial<Source> = {}) => {
  const by = somebody();
  const { organization_id, environment } = by;
  const { rpc, sources, run, liveVersion, ...made } = previewing(by, { ...source, ...more });
  const render = (input: Partial<InputOf<typeof operation>>) =>
    runInProcess(
      renderTest({ rpc, sources, run, liveVersion, clock: systemClock }),
      { organization_id, environment, ...input },
      contextOf(by),
    );
  return { render, ...made };
};

const draft: Block[] = [
  { type: 'section', text: { type: 'mrkdwn', text: 'Draft for {{name}}: {{sum | number:2}}' } },
];

describe('render-test', () => {
  it('compiles a version with its sample data and the settings of its template, without a charge', async () => {
    const { render, templateId: template_id, versionId, asked, neighbours } = open();
    expect(await render({ template_id, version_id: versionId })).toEqual({
      version: { id: versionId, number: 3 },
      user_name: 'Greeter',
      icon_emoji: ':wave:',
      blocks: [{ type: 'section', block_id: 'hello', text: { type: 'mrkdwn', text: 'Hello Ada' } }],
      text: 'A greeting',
      warnings: [],
      fields_truncated: 0,
    });
    expect(asked).toMatchObject([{ template_id, version_id: versionId, newest: true }]);
    expect(neighbours.charged.size).toBe(0);
  });

  it('asks for a version that has data together with those of sends, and else for the version alone', async () => {
    const { render, templateId, versionId, asked } = open();
    const named = await render({ template_id: templateId, version_id: versionId, data: { name: 'Bob' } });
    expect(JSON.stringify(named)).toContain('Hello Bob');
    expect(named).toMatchObject({ version: { id: versionId, number: 3 }, user_name: 'Greeter' });
    expect(asked).toEqual([]);
    // A template service of the previous version answers with the live version.
    const other = newId();
    await render({ template_id: templateId, version_id: other, data: { name: 'Bob' } });
    expect(asked).toMatchObject([{ template_id: templateId, version_id: other }]);
  });

  it('compiles blocks with the settings of a template, whose sample data is not theirs', async () => {
    const { render } = open();
    const template_id = newId();
    await expect(render({ template_id, blocks: draft })).rejects.toMatchObject({ code: 'invalid_data' });
    const rendered = await render({ template_id, blocks: draft, data: { name: 'Ada', sum: 1234.5 } });
    expect(rendered).toMatchObject({ version: null, user_name: 'Greeter', text: 'A greeting' });
    expect(JSON.stringify(rendered.blocks)).toContain('Draft for Ada: 1.234,50');
  });

  it('compiles blocks of no template by themselves', async () => {
    const { render, asked } = open();
    const rendered = await render({ blocks: draft, data: { name: 'Ada', sum: 1234.5 } });
    expect(rendered).toMatchObject({ version: null, user_name: null, icon_emoji: null });
    expect(JSON.stringify(rendered.blocks)).toContain('Draft for Ada: 1,234.50');
    expect(asked).toEqual([]);
    await expect(render({ blocks: [{ type: 'nonsense' }] })).rejects.toMatchObject({
      code: 'compilation_failed',
    });
  });

  it('refuses an archived template', async () => {
    const { render } = open({ is_archived: true });
    await expect(render({ template_id: newId() })).rejects.toMatchObject({ code: 'invalid_state' });
    await expect(render({ template_id: newId(), blocks: draft })).rejects.toMatchObject({
      code: 'invalid_state',
    });
  });
});
