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
