import { describe, expect, it } from '@jest/globals';
import { sharedByTests } from '@stanza/test-kit/shared';
import { newPartial, use } from '../testing/partials.ts';
import { type Neighbours, neighboursOf, newPerson, promote } from '../testing/promotion.ts';
import { ask, newTemplate, openWorld } from '../testing/world.ts';
import { getTemplateVersion } from './get-template-version.ts';

const answers: Neighbours = { destinations: [], queues: [], breaking: [], guard_activation: false };
const line = (text: string) => [{ type: 'context', elements: [{ type: 'mrkdwn', text }] }];

describe('the promotion of a template that holds a partial', () => {
  const world = sharedByTests(() => openWorld(neighboursOf(answers)));

  it('A promotion is refused with the partials that each template misses', async () => {
    const { preview, production } = newPerson();
    for (const key of ['alert', 'report']) {
      await newPartial(world(), preview, { key: `of-${key}` });
      await newTemplate(world(), preview, { key, blocks: [use(`of-${key}`, { author: 'user' })] });
    }
    await expect(promote(world(), production, { keys: ['alert', 'report'] })).rejects.toMatchObject({
      code: 'compilation_failed',
      facts: { error_details: expect.stringMatching(/of-alert.*`alert`.*of-report.*`report`/) },
    });
  });

  it('takes the live version of the partial with the same key, and is refused without one', async () => {
    const { preview, production } = newPerson();
    await newPartial(world(), preview, { key: 'footer' });
    await newTemplate(world(), preview, { key: 'alert', blocks: [use('footer', { author: 'user' })] });
    await expect(promote(world(), production, { keys: ['alert'] })).rejects.toMatchObject({
      code: 'compilation_failed',
      facts: { error_details: expect.stringContaining('partial.unknown') },
    });
    await newPartial(world(), production, { key: 'footer', blocks: line('of {{author.team}}') });
    const [made] = (await promote(world(), production, { keys: ['alert'] })).templates;
    const params = { id: made?.template_id ?? '', version_id: made?.version_id ?? '' };
    const version = await ask(getTemplateVersion(world()), { params }, production);
    expect(version.blocks).toMatchObject([{ children: line('of {{author.team}}') }]);
    expect(version.request_format).toEqual({ 'user.team': null });
    const [again] = (await promote(world(), production, { keys: ['alert'] })).templates;
    expect(again).toMatchObject({ action: 'unchanged', has_new_version: false });
  });
});
