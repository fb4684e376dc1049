import { readFileSync } from 'node:fs';
import {
  activatePartialVersion,
  createModal,
  createPartial,
  listModals,
  listPartials,
  listTemplates,
  sendTemplate,
} from '@stanza/contracts';
import { type Message, type Modal, partials } from '@stanza/gallery/exhibits';
import { z } from 'zod';
import type { Api } from '../kit/api.ts';
import { liveTemplate } from '../kit/templates.ts';

/** What of a running demo this needs. */
const stack = z.object({
  base_url: z.url(),
  sandbox_url: z.url(),
  organizations: z.array(z.object({ keys: z.object({ owner: z.string() }) })).min(1),
});

/** Reads where the demo runs, as `npm start` has written it down. */
export const readStack = (file: string): z.output<typeof stack> =>
  stack.parse(JSON.parse(readFileSync(file, 'utf8')));

const isCalled =
  (wanted: string) =>
  ({ name }: { name: string }): boolean =>
    name === wanted;

/** The template of that name, which is made where there is none yet. */
const templateFor = async (api: Api, { written, data }: Message): Promise<string> => {
  const { name, blocks, ...more } = written;
  const { data: found } = await api.ok(listTemplates, { query: { q: name, lifecycle: 'active' } });
  const known = found.find(isCalled(name));
  if (known !== undefined) return known.id;
  const made = await liveTemplate(api, [...blocks], { name, ...more, sample_data: data });
  return made.id;
};

/** Makes the partials of the gallery live in an organization, each once however often this runs. */
export const makePartials = async (api: Api): Promise<void> => {
  const { data: found } = await api.ok(listPartials);
  for (const body of partials.filter(({ key }) => !found.some((it) => it.key === key))) {
    const { id, version } = await api.ok(createPartial, { body });
    await api.ok(activatePartialVersion, { params: { id, version_id: version.id } });
  }
};

/**
 * Makes the messages of the gallery live templates of an organization, each once however often this runs, and sends
 * each to a channel.
 */
export const sendMessages = async (
  api: Api,
  messages: readonly Message[],
  channelOf: (index: number) => string,
): Promise<void> => {
  await makePartials(api);
  for (const [index, message] of messages.entries()) {
    const template_id = await templateFor(api, message);
    const { data } = message;
    await api.ok(sendTemplate, { body: { template_id, data, channel_id: channelOf(index) } });
  }
};

/** Makes the modals of the gallery active modals of an organization, each once however often this runs. */
export const makeModals = async (api: Api, modals: readonly Modal[]): Promise<void> => {
  for (const { source, data } of modals) {
    const { data: found } = await api.ok(listModals, { query: { q: source.name } });
    if (found.some(isCalled(source.name))) continue;
    await api.ok(createModal, { body: { ...source, sample_data: data, activate: true } });
  }
};
