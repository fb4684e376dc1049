import { describe, expect, it } from '@jest/globals';
import { sendTemplate } from '../operations/messages.ts';
import { createScheduledMessage } from '../operations/scheduled-messages.ts';
import { sendBulk } from '../operations/send-bulk.ts';
import { batchMessageKey } from './send-options.ts';

const template_id = '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f';

/** The operations that take a recipient, each with a body that names this one. */
const takers = [
  ['send', (recipient: object) => sendTemplate.body?.safeParse({ template_id, ...recipient })],
  ['bulk', (recipient: object) => sendBulk.body?.safeParse({ template_id, destinations: [recipient] })],
  [
    'a schedule',
    (recipient: object) =>
      createScheduledMessage.body?.safeParse({ template_id, cron: '@daily', ...recipient }),
  ],
] as const;

describe.each(takers)('a recipient of %s', (_, parse) => {
  it.each([
    { channel_id: 'C1', recipient_email: null, recipient_chat_id: null },
    { channel_id: null, recipient_email: 'ada@example.com' },
    { recipient_chat_id: 'U1', channel_id: null },
  ])('is the one that is not null: %j', (recipient) => {
    expect(parse(recipient)?.success).toBe(true);
  });

  it('takes a name for its message that is not that of a live digest', () => {
    const takes = (message_key: string) => parse({ channel_id: 'C1', message_key })?.success;
    expect(takes('batch:4711')).toBe(true);
    expect(takes(batchMessageKey(template_id))).toBe(false);
  });

  it.each([
    { channel_id: null },
    { channel_id: null, recipient_email: null, recipient_chat_id: null },
    { channel_id: 'C1', recipient_email: 'ada@example.com', recipient_chat_id: null },
  ])('is refused where there is not exactly one: %j', (recipient) => {
    expect(parse(recipient)?.success).toBe(false);
  });
});
