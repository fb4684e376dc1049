import { describe, expect, it } from '@jest/globals';
import { statement } from '@stanza/runtime';
import { endingAfterReads } from '@stanza/test-kit/service-world';
import { sharedByTests } from '@stanza/test-kit/shared';
import { waitFor } from '@stanza/test-kit/wait';
import type { Dependencies } from '../dependencies.ts';
import { newPartial, use } from '../testing/partials.ts';
import { ask, newTemplate, openWorld, somebody } from '../testing/world.ts';
import { appendPartialVersion } from './append-partial-version.ts';
import { appendTemplateVersion } from './append-template-version.ts';
import { getPartialImpact } from './get-partial-impact.ts';
import { rollOutPartial } from './roll-out-partial.ts';

const remove = statement<object>('test-remove-partial', 'delete from templates where id = $1');

describe('a partial that is deleted while a request works with it', () => {
  const world = sharedByTests(openWorld);

  it('A partial that is deleted is named as what a version misses that is saved with it', async () => {
    const principal = somebody();
    const { id: partialId } = await newPartial(world(), principal, { key: 'footer' });
    const { id } = await newTemplate(world(), principal);
    const saving = Promise.withResolvers<unknown>();
    await world().database.transaction(async (tx) => {
      await tx.query(remove, [partialId]);
      const body = { blocks: [use('footer', { author: 'user.name' })] };
      const saved = ask(appendTemplateVersion(world()), { params: { id }, body }, principal);
      saved.then(saving.reject, saving.resolve);
      await waitFor('the version to wait for the deletion', async () => {
        const waiting = await world().rows(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        return waiting.length > 0;
      });
    });
    expect(await saving.promise).toMatchObject({
      code: 'invalid_state',
      message: expect.stringContaining('A partial of the version was deleted'),
    });
  });

  it('A partial that is deleted leaves a request that reads it twice as it would be before its end, or after', async () => {
    const principal = somebody();
    const asked = async <T>(ask: (dependencies: Dependencies, params: { id: string }) => Promise<T>) => {
      const { id } = await newPartial(world(), principal, {});
      const end = () => world().database.query(remove, [id]);
      return ask({ ...world(), database: endingAfterReads(world().database, end) }, { id });
    };
    const blocks = [{ type: 'divider' }];
    const append = asked((on, params) =>
      ask(appendPartialVersion(on), { params, body: { blocks } }, principal),
    );
    await expect(append).resolves.toMatchObject({ version_number: 2 });
    const roll = asked((on, params) => {
      const body = { activate: false, accept_breaks: false } as const;
      return ask(rollOutPartial(on), { params, body }, principal);
    });
    await expect(roll).resolves.toMatchObject({ results: [] });
    const impact = asked((on, params) => ask(getPartialImpact(on), { params, body: { blocks } }, principal));
    await expect(impact).resolves.toMatchObject({ templates: [] });
  });
});
