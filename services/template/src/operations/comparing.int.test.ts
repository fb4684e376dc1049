import { describe, expect, it } from '@jest/globals';
import type { Block, Principal } from '@stanza/contracts';
import { newId } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { ask, newTemplate, openWorld, somebody, strangersTo } from '../testing/world.ts';
import { activateTemplateVersion } from './activate-template-version.ts';
import { appendTemplateVersion } from './append-template-version.ts';
import { archiveTemplate } from './archive-template.ts';
import { diffTemplateVersions } from './diff-template-versions.ts';
import { getPreviewSource } from './get-preview-source.ts';

const section = (text: string, id?: string): Block => ({
  type: 'section',
  ...(id !== undefined && { id }),
  text: { type: 'mrkdwn', text },
});

describe('versions of a template', () => {
  const world = sharedByTests(openWorld);

  const twoVersions = async (by: Principal, before: Block[], after: Block[]) => {
    const { id, version } = await newTemplate(world(), by, { blocks: before, sample_data: { name: 'Ada' } });
    const appended = { params: { id }, body: { blocks: after } };
    const second = await ask(appendTemplateVersion(world()), appended, by);
    return { id, first: version.id, second: second.id };
  };

  describe('are compared', () => {
    const diff = (by: Principal, id: string, version_id: string, against: string) =>
      ask(diffTemplateVersions(world()), { params: { id, version_id }, query: { against } }, by);

    it('block by block, in either direction', async () => {
      const by = somebody();
      const { id, first, second } = await twoVersions(
        by,
        [section('Hello', 'greeting'), section('Bye', 'end')],
        [section('Hello {{name}}', 'greeting')],
      );
      const forth = await diff(by, id, second, first);
      expect(forth).toEqual({
        template_id: id,
        version_id: second,
        version_number: 2,
        against: { version_id: first, version_number: 1 },
        added: [],
        removed: [{ block_id: 'end', type: 'section', pointer: '/blocks/1', block: section('Bye', 'end') }],
        moved: [],
        changed: [
          {
            block_id: 'greeting',
            type: 'section',
            pointer: '/blocks/0',
            before: '/blocks/0',
            changes: [{ op: 'replace', pointer: '/blocks/0/text/text', from: 'Hello', to: 'Hello {{name}}' }],
          },
        ],
      });
      expect(await diff(by, id, first, second)).toMatchObject({ added: [{ block_id: 'end' }], removed: [] });
    });

    it('without a difference for identical blocks', async () => {
      const by = somebody();
      const { id, first, second } = await twoVersions(by, [section('Hello')], [section('Hello')]);
      const same = { added: [], removed: [], moved: [], changed: [] };
      expect(await diff(by, id, second, first)).toMatchObject(same);
      expect(await diff(by, id, second, second)).toMatchObject(same);
    });

    it('only within their template and tenant', async () => {
      const by = somebody();
      const one = await twoVersions(by, [section('Hello')], [section('Bye')]);
      const other = await twoVersions(by, [section('Hello')], [section('Bye')]);
      for (const unknown of [other.first, newId()]) {
        const refused = { code: 'version_not_found' };
        await expect(diff(by, one.id, unknown, one.first)).rejects.toMatchObject(refused);
        await expect(diff(by, one.id, one.first, unknown)).rejects.toMatchObject(refused);
      }
      for (const stranger of strangersTo(by)) {
        await expect(diff(stranger, one.id, one.second, one.first)).rejects.toMatchObject({
          code: 'template_not_found',
        });
      }
    });
  });

  describe('are previewed', () => {
    const source = ({ organization_id, environment }: Principal, template_id: string, version_id?: string) =>
      ask(getPreviewSource(world()), { organization_id, environment, template_id, version_id });

    it('the live one by default, with the sample data and the defaults of the template', async () => {
      const by = somebody();
      const { id, first, second } = await twoVersions(by, [section('Hello')], [section('Bye')]);
      await expect(source(by, id)).rejects.toMatchObject({ code: 'version_not_found' });
      await ask(activateTemplateVersion(world()), { params: { id, version_id: second }, body: {} }, by);
      expect(await source(by, id)).toEqual({
        template_name: 'Greeting',
        is_archived: false,
        version_id: second,
        version_number: 2,
        sample_data: null,
        user_name: null,
        icon_emoji: null,
        fallback_text: null,
        locale: null,
        timezone: null,
        strict: false,
      });
      await ask(archiveTemplate(world()), { params: { id } }, by);
      expect(await source(by, id, first)).toMatchObject({ version_number: 1, sample_data: { name: 'Ada' } });
    });

    it('only within their template and tenant', async () => {
      const by = somebody();
      const one = await twoVersions(by, [section('Hello')], [section('Bye')]);
      const other = await twoVersions(by, [section('Hello')], [section('Bye')]);
      await expect(source(by, one.id, other.first)).rejects.toMatchObject({ code: 'version_not_found' });
      for (const stranger of strangersTo(by)) {
        await expect(source(stranger, one.id, one.first)).rejects.toMatchObject({
          code: 'template_not_found',
        });
      }
    });
  });
});
