import { activateTemplateVersion, createTemplate } from '@stanza/contracts';
import type { Api } from './api.ts';

/** A header and a section that reads `service` and `version`. */
export const deployBlocks = [
  { type: 'header', text: { type: 'plain_text', text: 'Deploy of {{service}}' } },
  { type: 'section', text: { type: 'mrkdwn', text: '*{{version}}* is live.' } },
];

/** A template whose version 1 is live. */
export interface LiveTemplate {
  id: string;
  versionId: string;
}

/** Creates a template and makes its version 1 live. */
export const liveTemplate = async (
  api: Api,
  blocks: unknown[] = deployBlocks,
  more: object = {},
): Promise<LiveTemplate> => {
  const { id, version } = await api.ok(createTemplate, { body: { name: 'Deploy alert', blocks, ...more } });
  await api.ok(activateTemplateVersion, { params: { id, version_id: version.id } });
  return { id, versionId: version.id };
};

/** Gives the organization that is being opened a template whose version 1 is live, with more of its settings. */
export const withLiveTemplate = async <T extends { api: Api; close(): Promise<unknown> }>(
  opening: Promise<T>,
  more?: object,
): Promise<T & { template: LiveTemplate }> => {
  const own = await opening;
  try {
    return { ...own, template: await liveTemplate(own.api, deployBlocks, more) };
  } catch (error) {
    await own.close();
    throw error;
  }
};
