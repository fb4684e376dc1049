import { describe, expect, it } from '@jest/globals';
import { sendTemplate } from '../operations/messages.ts';
import { createScheduledMessage } from '../operations/scheduled-messages.ts';
import { sendBulk } from '../operations/send-bulk.ts';
import { batchMessageKey } from './send-options.ts';

const template_id = '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f';

/** The operations that take a recipient, each with a body that names this one. */
const takers = [
  [
    'send',
    (recipient: object, more?: object) =>
      sendTemplate.body?.safeParse({ template_id, ...recipient, ...more }),
  ],
  [
    'bulk',
    (recipient: object, more?: object) =>
      sendBulk.body?.safeParse({ template_id, destinations: [{ channel_id: 'C2' }, recipient], ...more }),
  ],
  [
    'a schedule',
    (recipient: object, more?: object) =>
      createScheduledMessage.body?.safeParse({ template_id, cron: '@daily', ...recipient, ...more }),
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

  it.each([{ reply_to: template_id }, { message_key: 'a', on_existing: 'reply' }])(
    'takes reply_broadcast with a reply, and refuses it without one: %j',
    (reply) => {
      const takes = (given: object) => parse({ channel_id: 'C1', ...given }, { reply_broadcast: true });
      expect(takes(reply)?.success).toBe(true);
      expect(takes({})?.error?.issues).toMatchObject([
        { path: ['reply_broadcast'], message: 'needs a reply_to or thread_ts' },
      ]);
      expect(takes({ message_key: 'a' })?.success).toBe(false);
      expect(parse({ channel_id: 'C1' }, { reply_broadcast: false })?.success).toBe(true);
    },
  );

  it.each([
    { channel_id: null },
    { channel_id: null, recipient_email: null, recipient_chat_id: null },
    { channel_id: 'C1', recipient_email: 'ada@example.com', recipient_chat_id: null },
  ])('is refused where there is not exactly one: %j', (recipient) => {
    expect(parse(recipient)?.success).toBe(false);
  });
});

it('a reply of one send is also one that names its thread', () => {
  const reply = { template_id, channel_id: 'C1', thread_ts: '1700000000.000100', reply_broadcast: true };
  expect(sendTemplate.body?.safeParse(reply).success).toBe(true);
});
