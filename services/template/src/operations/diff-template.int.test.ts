import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Block, diffTemplate as diffing, InputOf, Principal } from '@stanza/contracts';
import { newId } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { ask, newTemplate, openWorld, somebody, strangersTo } from '../testing/world.ts';
import { activateTemplateVersion } from './activate-template-version.ts';
import { appendTemplateVersion } from './append-template-version.ts';
import { diffTemplate } from './diff-template.ts';
import { putTemplateDraft } from './put-template-draft.ts';

const section = (text: string): Block => ({
  type: 'section',
  id: 'greeting',
  text: { type: 'mrkdwn', text },
});
const changed = (from: string, to: string) => ({
  added: [],
  removed: [],
  moved: [],
  changed: [{ block_id: 'greeting', changes: [{ op: 'replace', pointer: '/blocks/0/text/text', from, to }] }],
});

describe('a template', () => {
  const world = sharedByTests(openWorld);
  let ada: Principal;
  let id: string;
  let first: string;
  let second: string;

  beforeEach(async () => {
    ada = somebody();
    const made = await newTemplate(world(), ada, { blocks: [section('one')] });
    id = made.id;
    first = made.version.id;
    const appended = { params: { id }, body: { blocks: [section('two')] } };
    second = (await ask(appendTemplateVersion(world()), appended, ada)).id;
  });

  const diff = (body: InputOf<typeof diffing>['body'], by = ada) =>
    ask(diffTemplate(world()), { params: { id }, body }, by);
  const put = (blocks: unknown[]) =>
    ask(
      putTemplateDraft(world()),
      {
        params: { id },
        body: { blocks, metadata: {}, sample_data: null, base_version_id: null },
      },
      ada,
    );

  it('is compared with a version: given blocks, the draft, another version', async () => {
    expect(await diff({ blocks: [section('three')], against: first })).toMatchObject({
      template_id: id,
      version_id: null,
      version_number: null,
      draft_revision: null,
      against: { version_id: first, version_number: 1 },
      ...changed('one', 'three'),
    });
    await put([section('draft')]);
    expect(await diff({ draft: true, against: second })).toMatchObject({
      version_id: null,
      draft_revision: 1,
      against: { version_id: second, version_number: 2 },
      ...changed('two', 'draft'),
    });
    expect(await diff({ version_id: second, against: first.toUpperCase() })).toMatchObject({
      version_id: second,
      version_number: 2,
      ...changed('one', 'two'),
    });
  });

  it('is compared with the live version where the request names none', async () => {
    await expect(diff({ version_id: second })).rejects.toMatchObject({
      code: 'version_not_found',
      message: expect.stringContaining('`against`'),
    });
    const live = { params: { id, version_id: first }, body: {} };
    await ask(activateTemplateVersion(world()), live, ada);
    expect(await diff({ version_id: second })).toMatchObject({ against: { version_id: first } });
  });

  it('is compared though blocks do not compile, and not where they are none', async () => {
    const broken = await diff({ blocks: [{ type: 'sektion' }], against: first });
    expect(broken).toMatchObject({ added: [{ type: 'sektion' }], removed: [{ type: 'section' }] });
    await put([section('fine'), 'text', { type: 'section', id: 7 }]);
    await expect(diff({ draft: true, against: first })).rejects.toMatchObject({
      code: 'compilation_failed',
      facts: { details: expect.stringMatching(/^\/blocks\/1: block.shape: .*\n\/blocks\/2\/id: /) },
    });
  });

  it('is compared within itself and its tenant, and with a draft that is there', async () => {
    const other = await newTemplate(world(), ada);
    const absent = { code: 'version_not_found' };
    await expect(diff({ version_id: other.version.id, against: first })).rejects.toMatchObject(absent);
    await expect(diff({ version_id: first, against: newId() })).rejects.toMatchObject(absent);
    await expect(diff({ draft: true, against: first })).rejects.toMatchObject({ code: 'not_found' });
    for (const stranger of strangersTo(ada)) {
      await expect(diff({ version_id: first, against: first }, stranger)).rejects.toMatchObject({
        code: 'template_not_found',
      });
    }
  });
});
