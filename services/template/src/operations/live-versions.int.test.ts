import { describe, expect, it } from '@jest/globals';
import type { Principal } from '@stanza/contracts';
import { newId } from '@stanza/runtime';
import { plainAppearance } from '@stanza/test-kit/service-world';
import { sharedByTests } from '@stanza/test-kit/shared';
import { ask, fullAppearance, greeting, newTemplate, openWorld, somebody } from '../testing/world.ts';
import { activateTemplateVersion } from './activate-template-version.ts';
import { appendTemplateVersion } from './append-template-version.ts';
import { getVersionContent } from './get-version-content.ts';
import { resolveLiveVersions } from './resolve-live-versions.ts';

describe('the data for compiling', () => {
  const world = sharedByTests(openWorld);

  const tenantOf = ({ organization_id, environment }: Principal) => ({ organization_id, environment });
  const named = (principal: Principal, template_id: string) => ({ ...tenantOf(principal), template_id });
  const resolve = async (...templates: (ReturnType<typeof named> & { version_id?: string })[]) =>
    (await ask(resolveLiveVersions(world()), { templates })).versions;
  const activate = (principal: Principal, id: string, version_id: string) =>
    ask(activateTemplateVersion(world()), { params: { id, version_id }, body: {} }, principal);

  describe('resolve-live-versions', () => {
    it('contains templates of many tenants in the given order, each with its appearance', async () => {
      const [ada, bob] = [somebody(), somebody({ environment: 'preview' })];
      const one = await newTemplate(world(), ada, { name: 'One', ...fullAppearance });
      const two = await newTemplate(world(), bob, { name: 'Two' });
      await activate(ada, one.id, one.version.id);
      await activate(bob, two.id, two.version.id);
      const ofOne = { found: true, template_name: 'One', version_id: one.version.id, version_number: 1 };
      const ofTwo = { found: true, template_name: 'Two', version_id: two.version.id, version_number: 1 };
      expect(await resolve(named(bob, two.id), named(ada, one.id), named(bob, two.id))).toEqual([
        { ...ofTwo, ...plainAppearance },
        { ...ofOne, ...fullAppearance },
        { ...ofTwo, ...plainAppearance },
      ]);
    });

    it('answers with the version that is named, of its own template alone', async () => {
      const ada = somebody();
      const one = await newTemplate(world(), ada);
      const other = await newTemplate(world(), ada);
      const version_id = one.version.id;
      const answers = await resolve(
        { ...named(ada, one.id), version_id },
        { ...named(ada, other.id), version_id },
        { ...named({ ...ada, environment: 'preview' }, one.id), version_id },
      );
      expect(answers).toMatchObject([
        { found: true, version_id, version_number: 1 },
        { found: false, code: 'version_not_found' },
        { found: false, code: 'template_not_found' },
      ]);
    });

    it('gives the reason for each template without one, and keeps tenants apart', async () => {
      const ada = somebody();
      const live = await newTemplate(world(), ada);
      const draft = await newTemplate(world(), ada);
      const archived = await newTemplate(world(), ada);
      await activate(ada, live.id, live.version.id);
      await world().rows('update templates set archived_at = now() where id = $1', [archived.id]);
      const answers = await resolve(
        named(ada, newId()),
        named(somebody(), live.id),
        named({ ...ada, environment: 'preview' }, live.id),
        named(ada, draft.id),
        named(ada, archived.id),
        named(ada, live.id),
      );
      expect(answers.map((it) => (it.found ? 'found' : it.code))).toEqual([
        'template_not_found',
        'template_not_found',
        'template_not_found',
        'version_not_found',
        'invalid_state',
        'found',
      ]);
    });

    it('contains the version that was activated last, as soon as its activation is answered', async () => {
      const ada = somebody();
      const { id, version } = await newTemplate(world(), ada);
      const second = await ask(
        appendTemplateVersion(world()),
        { params: { id }, body: { blocks: greeting } },
        ada,
      );
      for (let round = 0; round < 50; round += 1) {
        const next = round % 2 === 0 ? version.id : second.id;
        // Concurrent calls keep the coalescing busy, as under load.
        const [, ...asked] = await Promise.all([
          activate(ada, id, next).then(async () => {
            expect(await resolve(named(ada, id))).toMatchObject([{ version_id: next }]);
          }),
          ...Array.from({ length: 5 }, () => resolve(named(ada, id))),
        ]);
        expect(asked).toHaveLength(5);
      }
    });

    it('is empty for an empty call', async () => {
      expect(await resolve()).toEqual([]);
    });
  });

  describe('get-version-content', () => {
    const content = (principal: Principal, version_id: string) =>
      ask(getVersionContent(world()), { ...tenantOf(principal), version_id });

    it('contains the blocks as stored, with keys in the same order', async () => {
      const ada = somebody();
      const blocks = [{ text: { text: 'z {{b}} {{a}}', type: 'mrkdwn' }, type: 'section', id: 'first' }];
      const { version } = await newTemplate(world(), ada, { blocks });
      const answer = await content(ada, version.id);
      expect(JSON.stringify(answer.blocks)).toBe(JSON.stringify(version.blocks));
      expect(answer.blocks).toEqual(blocks);
    });

    it('is not found for a version of another tenant', async () => {
      const ada = somebody();
      const { version } = await newTemplate(world(), ada, { blocks: greeting });
      for (const other of [somebody(), { ...ada, environment: 'preview' as const }]) {
        await expect(content(other, version.id)).rejects.toMatchObject({ code: 'version_not_found' });
      }
    });
  });
});
