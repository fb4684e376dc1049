import { describe, expect, it } from '@jest/globals';
import { newContext, newId } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { ask, greeting, newTemplate, openWorld, somebody } from '../testing/world.ts';
import { appendTemplateVersion } from './append-template-version.ts';
import { createTemplate } from './create-template.ts';

const broken = [
  { type: 'sektion', text: { type: 'mrkdwn', text: 'x' } },
  { type: 'section', text: { type: 'mrkdwn', text: '{{name | shout}}' } },
];

describe('authoring', () => {
  const world = sharedByTests(openWorld);

  const countOf = async (table: 'templates' | 'versions', organizationId: string): Promise<number> => {
    const [row] = await world().rows<{ count: number }>(
      `select count(*) from ${table} where organization_id = $1`,
      [organizationId],
    );
    return row?.count ?? -1;
  };

  describe('create-template', () => {
    const create = (body: object) => ({
      body: { name: 'Greeting', type: 'message', blocks: greeting, ...body },
    });

    it('answers the template and its version 1, which is not live', async () => {
      const principal = somebody();
      const body = { description: 'says hello', icon_emoji: ':wave:', sample_data: { name: 'Ada' } };
      const made = await newTemplate(world(), principal, body);
      expect(made).toMatchObject({
        organization_id: principal.organization_id,
        key: 'greeting',
        name: 'Greeting',
        description: 'says hello',
        type: 'message',
        user_name: null,
        icon_emoji: ':wave:',
        fallback_text: null,
        lifecycle: 'active',
        current_version_id: null,
        created_by: principal.actor.user_id,
        archived_at: null,
      });
      expect(made.version).toMatchObject({
        template_id: made.id,
        version_number: 1,
        sample_data: { name: 'Ada' },
        request_format: { name: null },
        note: null,
        status: 'draft',
        is_current: false,
        created_by: principal.actor.user_id,
      });
    });

    it('stores the blocks with generated ids, and keeps given ones', async () => {
      const { version } = await newTemplate(world(), somebody(), {
        blocks: [
          { ...greeting[0], id: 'mine' },
          { type: 'actions', elements: [{ type: 'button', text: { type: 'plain_text', text: 'Go' } }] },
        ],
      });
      expect(version.blocks).toEqual([
        { ...greeting[0], id: 'mine' },
        {
          type: 'actions',
          id: expect.stringMatching(/^blk_[0-9a-f-]{36}$/),
          elements: [
            {
              type: 'button',
              text: { type: 'plain_text', text: 'Go' },
              action_id: expect.stringMatching(/^act_[0-9a-f-]{36}$/),
            },
          ],
        },
      ]);
      const [row] = await world().rows<{ blocks: unknown }>('select blocks from versions where id = $1', [
        version.id,
      ]);
      expect(row?.blocks).toEqual(version.blocks);
    });

    it('saves nothing that does not compile, and names every problem with a pointer into the request', async () => {
      const principal = somebody();
      const refused = newTemplate(world(), principal, { blocks: broken });
      await expect(refused).rejects.toMatchObject({
        code: 'compilation_failed',
        facts: {
          details: expect.stringMatching(/^\/blocks\/0.*\n\/blocks\/1\/text\/text/),
          error_details: expect.stringContaining('"pointer":"/blocks/0'),
        },
      });
      expect(await countOf('templates', principal.organization_id)).toBe(0);
      expect(await countOf('versions', principal.organization_id)).toBe(0);
    });

    it('passes the tenant and the remaining time to the check', async () => {
      const principal = somebody();
      const context = newContext({ deadlineMs: 1_234, principal });
      await ask(createTemplate(world()), create({}), principal, context);
      expect(world().rpc.calls.at(-1)).toMatchObject({ operation: 'check-blocks', context });
    });

    it('repeated by one operation, creates one template and answers it both times', async () => {
      const principal = somebody();
      const context = newContext({ deadlineMs: 5_000, principal });
      const answers = await Promise.all(
        [1, 2, 3].map(() => ask(createTemplate(world()), create({}), principal, context)),
      );
      expect(answers[1]).toEqual(answers[0]);
      expect(answers[2]).toEqual(answers[0]);
      expect(await countOf('templates', principal.organization_id)).toBe(1);
      expect(await countOf('versions', principal.organization_id)).toBe(1);
    });
  });

  describe('append-template-version', () => {
    const append = (id: string, body: object = {}) => ({
      params: { id },
      body: { blocks: greeting, ...body },
    });

    it('appends a version that is not live', async () => {
      const principal = somebody();
      const { id } = await newTemplate(world(), principal);
      const note = 'friendlier';
      const second = await ask(appendTemplateVersion(world()), append(id, { note }), principal);
      expect(second).toMatchObject({
        template_id: id,
        version_number: 2,
        note,
        sample_data: null,
        status: 'draft',
        is_current: false,
        created_by: principal.actor.user_id,
      });
    });

    it('numbers versions without gaps under concurrency', async () => {
      const principal = somebody();
      const { id } = await newTemplate(world(), principal);
      const appended = await Promise.all(
        Array.from({ length: 30 }, () => ask(appendTemplateVersion(world()), append(id), principal)),
      );
      const numbers = appended.map((it) => it.version_number).sort((one, next) => one - next);
      expect(numbers).toEqual(Array.from({ length: 30 }, (_, index) => index + 2));
    });

    it('repeated by one operation, appends once, answers the same, and leaves no gap', async () => {
      const principal = somebody();
      const { id } = await newTemplate(world(), principal);
      const context = newContext({ deadlineMs: 5_000, principal });
      const twice = [1, 2].map(() => ask(appendTemplateVersion(world()), append(id), principal, context));
      const [first, again] = await Promise.all(twice);
      expect(again).toEqual(first);
      const next = await ask(appendTemplateVersion(world()), append(id), principal);
      expect(next.version_number).toBe(3);
    });

    it('appends nothing that does not compile', async () => {
      const principal = somebody();
      const { id } = await newTemplate(world(), principal);
      const refused = ask(appendTemplateVersion(world()), append(id, { blocks: broken }), principal);
      await expect(refused).rejects.toMatchObject({ code: 'compilation_failed' });
      expect(await countOf('versions', principal.organization_id)).toBe(1);
    });

    it('answers not_found for an unknown template and one of another tenant', async () => {
      const principal = somebody();
      const { id } = await newTemplate(world(), principal);
      const preview = { ...principal, environment: 'preview' as const };
      for (const [by, what] of [
        [principal, newId()],
        [somebody(), id],
        [preview, id],
      ] as const) {
        const refused = ask(appendTemplateVersion(world()), append(what), by);
        await expect(refused).rejects.toMatchObject({ code: 'template_not_found' });
      }
    });
  });
});
