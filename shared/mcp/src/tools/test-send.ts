import { StanzaError, type TestTarget } from '@stanza/sdk';
import { z } from 'zod';
import { counted, firstOf } from '../counted.ts';
import { data, inputOf, templateKey, templateOf, versionNumber, versionOf, whole } from '../inputs.ts';
import { tool } from '../tool.ts';

/** The name of a target: where it goes. */
const nameOf = ({ channel_id, recipient_email, recipient_chat_id }: TestTarget): string =>
  channel_id ?? recipient_email ?? recipient_chat_id ?? '';

/** Sends a version as a test to a listed target. */
export const testSend = tool({
  name: 'test_send',
  title: 'Send a test',
  description:
    'Posts a version of a template as a test to a target that an admin has listed, for one credit; without a target it lists the targets and sends nothing. It posts nowhere else.',
  scopes: ['templates:read', 'messages:create'],
  changes: true,
  reachesOutside: true,
  input: inputOf({
    template: templateKey,
    version: versionNumber.optional().describe('the number of a version, in place of the newest one'),
    data: data.optional().describe('left out, the sample data of the version'),
    target: z.string().max(320).optional().describe('a target of the list'),
    whole,
  }),
  output: {
    targets: 'array',
    message_id: 'string',
    target: 'string',
    version_number: 'integer',
    warnings: 'array',
  },
  run: async (stanza, { template: key, version, data: values, target }) => {
    const { id } = await templateOf(stanza, key);
    const { targets } = await stanza.chatConnection.testTargets.get();
    const names = targets.map((it) => ({ target: nameOf(it), description: it.description ?? null }));
    if (target === undefined) {
      return {
        sentence: `${counted(names.length, 'target')} for tests. Nothing was sent.`,
        content: { targets: names },
        outline: { targets: names.map((it) => ({ target: it.target })) },
      };
    }
    const listed = targets.find((it) => nameOf(it) === target);
    if (listed === undefined) {
      throw new StanzaError({
        code: 'access_denied',
        text: 'An admin has not listed this target for tests; nothing was sent. Without a target the tool lists them.',
        operation: 'chatConnection.testTargets.get',
      });
    }
    const { description: _, ...destination } = listed;
    const { id: versionId, version_number } = await versionOf(stanza, id, version);
    const { message_id, warnings } = await stanza.templates.versions.testSend(id, versionId, {
      ...destination,
      ...(values !== undefined && { data: values }),
    });
    return {
      sentence: `Version ${version_number} was posted as a test, with ${counted(warnings.length, 'warning')}.`,
      isDoneAgain: true,
      content: { message_id, target, version_number, warnings },
      outline: { message_id, target, version_number, warnings: firstOf(warnings) },
    };
  },
});
