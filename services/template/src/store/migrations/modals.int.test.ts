import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkBlocks } from '@stanza/compile/check-blocks';
import { createDataSource, newId, silentLogger } from '@stanza/runtime';
import { newTemplate, openWorld, somebody, type World } from '../../testing/world.ts';
import { entities } from '../entities.ts';
import { Modals1795300000060 } from './1795300000060-modals.ts';
import { migrations } from './index.ts';

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

describe('versions from before there were modals', () => {
  let world: World;

  beforeAll(async () => {
    world = await openWorld([checkBlocks({ clock })]);
  });
  afterAll(() => world.close());

  it('are known to open what they open', async () => {
    const modal = newId();
    const blocks = [
      opening(modal.toUpperCase()),
      { type: 'directive', directive: '#each', path: 'items', children: [opening(modal)] },
      opening('no id at all'),
    ];
    const { id, version } = await newTemplate(world, somebody(), { blocks });
    await newTemplate(world, somebody());
    const source = createDataSource({
      url: world.ownerUrl,
      schema: 'template',
      entities,
      migrations,
      pool: 1,
      session: {},
      applicationName: 'test',
      log: silentLogger(),
    });
    await source.initialize();
    const runner = source.createQueryRunner();
    const references = () => runner.query('select template_id, version_id, modal_id from modal_references');
    const before = await references();
    const migration = new Modals1795300000060();
    await migration.down(runner);
    await migration.up(runner);
    const after = await references();
    await source.destroy();
    expect(before).toEqual([{ template_id: id, version_id: version.id, modal_id: modal }]);
    expect(after).toEqual(before);
  });
});
