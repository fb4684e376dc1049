import { describe, expect, it } from '@jest/globals';
import { statement } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { waitFor } from '@stanza/test-kit/wait';
import { newPartial, use } from '../testing/partials.ts';
import { ask, newTemplate, openWorld, somebody } from '../testing/world.ts';
import { appendTemplateVersion } from './append-template-version.ts';

const remove = statement<object>('test-remove-partial', 'delete from templates where id = $1');

describe('a partial that is deleted while a version with it is saved', () => {
  const world = sharedByTests(openWorld);

  it('is named as what is missing, and nothing is saved', async () => {
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
});
