import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createModal,
  listModals,
  listTemplates,
  previewModal,
  sendTemplate,
  validateTemplate,
} from '@stanza/contracts';
import { nativeMessages } from '@stanza/engine/testing';
import { type Message, messages, modals } from '@stanza/gallery/exhibits';
import { makeModals, makePartials, sendMessages } from '../gallery/send.ts';
import type { Api } from '../kit/api.ts';
import { channelsOf } from '../kit/channels.ts';
import { openWorldWith, type World } from '../kit/stack.ts';
import { liveTemplate } from '../kit/templates.ts';

/** Ids that the service fills in where the author gave none; a loop numbers them. */
const filledId = /^(?:blk|act)_[0-9a-f-]{36}(?:_\d+)*$/;

/** A value without the ids that the service filled in. */
const withoutFilledIds = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutFilledIds);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([key, inner]) => !(/^(?:block|action)_id$/.test(key) && filledId.test(String(inner))),
  );
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutFilledIds(inner)]));
};

/** What says how long ago something was reads differently today. */
const isTimeless = ({ source }: Message): boolean => !JSON.stringify(source).includes('time_ago');

const channels = channelsOf('gallery');

describe('the gallery', () => {
  let world: World;
  let api: Api;

  beforeAll(async () => {
    ({ world, api } = await openWorldWith());
    await makePartials(api);
  });
  afterAll(() => world.close());

  it.each(messages.map((message) => [message.slug, message, channels.next()] as const))(
    'is written, made live and sent as shown: %s',
    async (_, message, channel_id) => {
      const { blocks, ...more } = message.written;
      const template = await liveTemplate(api, [...blocks], { ...more, sample_data: message.data });
      const { data } = message;
      const sent = await api.ok(sendTemplate, { body: { template_id: template.id, data, channel_id } });
      expect(sent.warnings).toEqual([]);
      const [posted] = await world.sandbox.messages(channel_id);
      expect(posted?.blocks?.length).toBeGreaterThan(0);
      if (isTimeless(message)) {
        expect(withoutFilledIds(posted?.blocks)).toEqual(message.expected.blocks);
        expect(posted?.text).toBe(message.expected.text);
      }
    },
  );

  it.each(modals.map((modal) => [modal.slug, modal] as const))(
    'is written and previewed as the view that the platform opens: %s',
    async (_, { source, data, expected }) => {
      const body = { ...source, sample_data: data, activate: true };
      const { id } = await api.ok(createModal, { body });
      const { view, warnings } = await api.ok(previewModal, { params: { id }, body: {} });
      expect(warnings).toEqual([]);
      expect(withoutFilledIds(view)).toEqual(expected);
    },
  );

  it('is put into an organization as often as one likes, and stands there once', async () => {
    const other = world.api.with((await (await world.newOrganization()).key()).key);
    const [some, channel] = [messages.slice(0, 2), channels.next()];
    for (let time = 0; time < 2; time += 1) {
      await sendMessages(other, some, () => channel);
      await makeModals(other, modals.slice(0, 1));
    }
    const [templates, views] = [await other.ok(listTemplates), await other.ok(listModals)];
    expect([templates.data.length, views.data.length]).toEqual([2, 1]);
    expect(await world.sandbox.messages(channel)).toHaveLength(4);
  });

  it.each(Object.entries(nativeMessages))(
    'stands beside what people paste from the platform’s own builder, which stays as it is: %s',
    async (_, blocks) => {
      const checked = await api.ok(validateTemplate, { body: { blocks } });
      expect(checked).toMatchObject({ valid: true, warnings: [] });
      expect(withoutFilledIds(checked.output?.blocks)).toEqual(blocks);
    },
  );
});
