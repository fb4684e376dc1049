import { z } from 'zod';
import { limits } from '../limits.ts';
import { httpOperation } from '../operation.ts';
import { destinationForm, isOneDestination, oneDestination } from '../resources/message.ts';
import { isOneTemplateAtMost, templateReference } from '../resources/template-reference.ts';
import { testTarget, testTargetList } from '../resources/test-target.ts';
import { blocks, freeObject, id, timestamp } from '../resources/values.ts';
import { renderOptions } from './compile.ts';
import { sendErrors, sentMessage } from './messages.ts';

/** What every test send says of itself. */
const promises =
  'The recipient is the chat user of the caller, found by their e-mail address, or a target that an admin has listed (`/v1/chat-connection/test-targets`); any other is refused with 403. Costs one credit and keeps the promises of a send. It takes `templates:read` too. The message log shows the message with `test: true`.';

const common = {
  service: 'delivery',
  posts: true,
  method: 'POST',
  access: 'messages:create',
  idempotent: true,
  lostAnswer: 'delivery_outcome_unknown',
  lostMessage:
    'The answer was lost, so it is unknown whether the test was posted. GET /v1/messages?test=true shows the outcome; `credit_log_id` there says that it was charged.',
  deadlineMs: 15_000,
  errors: [...sendErrors, 'access_denied'],
} as const;

/** Posts a version of a template as a test. */
export const testSendVersion = httpOperation({
  ...common,
  id: 'test-send-version',
  unrated: true,
  summary: 'Send any version of a template as a test, to yourself or to a listed target',
  description: `The version need not be live. ${promises}`,
  path: '/templates/{id}/versions/{version_id}/test-send',
  params: z.strictObject({ id, version_id: id }),
  body: z
    .strictObject({
      data: freeObject.optional().describe('default: the sample data of the version'),
      ...renderOptions,
      ...destinationForm,
    })
    .superRefine(isOneDestination)
    .meta(oneDestination),
  reply: sentMessage,
  example: { data: { service: 'api', version: '1.4.2' }, channel_id: 'C0DEPLOYS' },
});

/** Posts blocks as a test. */
export const testSendBlocks = httpOperation({
  ...common,
  id: 'test-send-blocks',
  unrated: true,
  summary: 'Send blocks that are not yet a version as a test, to yourself or to a listed target',
  description: `With \`template_id\` or \`template_key\` the settings of that template apply, and the log shows the message as one of it. ${promises}`,
  path: '/templates/test-send',
  body: z
    .strictObject({
      ...templateReference,
      blocks,
      data: freeObject.default({}).describe('values that the blocks read'),
      ...renderOptions,
      ...destinationForm,
    })
    .superRefine(isOneTemplateAtMost)
    .superRefine(isOneDestination)
    .meta(oneDestination),
  reply: sentMessage.omit({ version_id: true, version_number: true }),
  example: {
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'Hello {{name}}' } }],
    data: { name: 'Ada' },
    channel_id: 'C0DEPLOYS',
  },
});

const targetsPath = '/chat-connection/test-targets';

/** Reads the targets of test sends. */
export const getTestTargets = httpOperation({
  id: 'get-test-targets',
  service: 'delivery',
  summary: 'List the targets of test sends of your environment',
  method: 'GET',
  path: targetsPath,
  access: 'messages:create',
  reply: testTargetList,
});

/** Replaces the targets of test sends. */
export const replaceTestTargets = httpOperation({
  id: 'replace-test-targets',
  service: 'delivery',
  summary: 'Replace the targets of test sends of your environment',
  description: 'An empty list leaves each caller to themselves.',
  method: 'PUT',
  path: targetsPath,
  access: 'connections:write',
  role: 'admin',
  body: z.strictObject({
    targets: z.array(testTarget).max(limits.testTargets),
    expected_updated_at: timestamp.nullable().optional(),
  }),
  reply: testTargetList,
  errors: ['changed_meanwhile'],
  example: { targets: [{ channel_id: 'C0DEPLOYS', description: 'Rehearsals' }] },
});
