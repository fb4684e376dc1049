import { describe, expect, it } from '@jest/globals';
import { type Block, type InputOf, previewTemplate as operation } from '@stanza/contracts';
import { newId, systemClock } from '@stanza/runtime';
import { runInProcess } from '@stanza/test-kit/database';
import { previewing } from '../testing/compile-service.ts';
import { contextOf, greeting, somebody } from '../testing/neighbours.ts';
import { previewTemplate } from './preview-template.ts';

const source = {
  template_name: 'Greeting',
  version_number: 3,
  sample_data: { name: 'Ada' },
  fallback_text: null,
  locale: 'de-DE',
  timezone: null,
  strict: true,
};

describe('preview-template', () => {
  const open = (blocks: Block[] = greeting, more: Partial<typeof source> | { sample_data: null } = {}) => {
    const by = somebody();
    const { rpc, sources, run, ...made } = previewing(by, { ...source, ...more }, blocks);
    const preview = (body: InputOf<typeof operation>['body']) =>
      runInProcess(
        previewTemplate({ rpc, sources, run, clock: systemClock }),
        { params: undefined, query: undefined, body },
        contextOf(by),
      );
    return { preview, by, ...made };
  };

  it('compiles the sample data of a version like compile would, without a charge', async () => {
    const { preview, by, versionId, asked, neighbours } = open();
    const template_id = newId();
    expect(await preview({ template_id, version_id: versionId })).toEqual({
      success: true,
      template: { id: template_id, name: 'Greeting' },
      version_id: versionId,
      version_number: 3,
      blocks: [{ type: 'section', block_id: 'hello', text: { type: 'mrkdwn', text: 'Hello Ada' } }],
      text: expect.stringContaining('Hello Ada'),
      warnings: [],
      chat_truncation: { fields_truncated: 0 },
    });
    const { organization_id, environment } = by;
    expect(asked).toEqual([{ organization_id, environment, template_id, version_id: versionId }]);
    expect(neighbours.charged.size).toBe(0);
  });

  it('uses the data of the request instead, as a whole', async () => {
    const { preview } = open();
    const template_id = newId();
    expect(JSON.stringify((await preview({ template_id, data: { name: 'Bob' } })).blocks)).toContain(
      'Hello Bob',
    );
    await expect(preview({ template_id, data: {} })).rejects.toMatchObject({ code: 'invalid_data' });
    const lenient = await preview({ template_id, data: {}, strict: false });
    expect(lenient.warnings).toEqual([expect.stringContaining('`name`')]);
  });

  it('compiles a version without sample data with an empty object', async () => {
    const { preview } = open(greeting, { sample_data: null });
    await expect(preview({ template_id: newId() })).rejects.toMatchObject({ code: 'invalid_data' });
  });

  it('uses the defaults of the template', async () => {
    const text = '{{sum | number:2}}';
    const { preview } = open([{ type: 'section', id: 's', text: { type: 'mrkdwn', text } }]);
    const asked = { template_id: newId(), data: { sum: 1234.5 } };
    expect(JSON.stringify((await preview(asked)).blocks)).toContain('1.234,50');
    expect(JSON.stringify((await preview({ ...asked, locale: 'en-US' })).blocks)).toContain('1,234.50');
  });

  it('makes a message from blocks that are not yet a version, with generated ids', async () => {
    const { preview, asked } = open();
    const [hello] = greeting;
    const blocks: Block[] = [{ type: 'section', text: hello?.text }];
    const shown = await preview({ blocks, data: { name: 'Ada' } });
    expect(shown).toMatchObject({
      success: true,
      blocks: [{ block_id: expect.stringMatching(/^blk_/), text: { text: 'Hello Ada' } }],
    });
    expect(shown).not.toHaveProperty('template');
    expect(shown).not.toHaveProperty('version_id');
    expect(asked).toEqual([]);
  });

  it('refuses blocks that do not compile, with every problem', async () => {
    const { preview } = open();
    await expect(preview({ blocks: [{ type: 'sektion' }, { type: 'header' }] })).rejects.toMatchObject({
      code: 'compilation_failed',
      facts: { details: expect.stringMatching(/^\/blocks\/0.*\n\/blocks\/1/) },
    });
  });

  it('accepts either a version or blocks', () => {
    const template_id = newId();
    const refused = [{}, { template_id, blocks: greeting }, { blocks: greeting, version_id: newId() }];
    for (const body of refused) expect(operation.body?.safeParse(body).success).toBe(false);
    for (const body of [{ template_id }, { blocks: greeting }, { template_id, version_id: newId() }]) {
      expect(operation.body?.safeParse(body).success).toBe(true);
    }
  });
});
