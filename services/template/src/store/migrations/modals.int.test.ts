import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkBlocks } from '@stanza/compile/check-blocks';
import { checkViews } from '@stanza/compile/check-views';
import { runWhole } from '@stanza/compile/runs';
import { asOwner } from '@stanza/test-kit/service-world';
import { newModal } from '../../testing/modals.ts';
import { newTemplate, openWorld, somebody, type World } from '../../testing/world.ts';
import { Modals1795300000060 } from './1795300000060-modals.ts';
import { Keys1800080000001 } from './1800080000001-keys.ts';

const clock = { now: () => new Date('2026-11-21T08:00:00.000Z'), monotonic: () => 0 };
const opening = (modal_id: string) => ({
  type: 'actions',
  elements: [
    {
      type: 'button',
      text: { type: 'plain_text', text: 'Go' },
      interaction: [{ type: 'open_modal', modal_id }],
    },
  ],
});

describe('versions that are older than modals', () => {
  let world: World;

  beforeAll(async () => {
    world = await openWorld([checkBlocks({ run: runWhole, clock }), checkViews({ run: runWhole, clock })]);
  });
  afterAll(() => world.close());

  it('get references to the modals that they open', async () => {
    const me = somebody();
    const { id: modal } = await newModal(world, me);
    const blocks = [
      opening(modal.toUpperCase()),
      { type: 'directive', directive: '#each', path: 'items', children: [opening(modal)] },
      opening('{{id}}'),
    ];
    const { id, version } = await newTemplate(world, me, { blocks });
    await newTemplate(world, somebody());
    const { before, after } = await asOwner('template', world.ownerUrl, async (runner) => {
      const references = () => runner.query('select template_id, version_id, modal_id from modal_references');
      const earlier = await references();
      const migration = new Modals1795300000060();
      const keys = new Keys1800080000001();
      await keys.down(runner);
      await migration.down(runner);
      await migration.up(runner);
      await keys.up(runner);
      return { before: earlier, after: await references() };
    });
    expect(before).toEqual([{ template_id: id, version_id: version.id, modal_id: modal }]);
    expect(after).toEqual(before);
  });
});
