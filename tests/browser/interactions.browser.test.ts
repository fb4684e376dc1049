import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createDestination,
  createModal,
  getSigningSecret,
  listDeliveries,
  listInteractions,
  sendTemplate,
} from '@stanza/contracts';
import { type Receiver, startReceiver } from '@stanza/delivery/testing/receiver';
import { launchChromium } from '@stanza/sandbox/testing/chromium';
import { limits } from '@stanza/test-kit/limits';
import type { Browser, Locator, Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import type { Api } from '../kit/api.ts';
import { channelsOf } from '../kit/channels.ts';
import { openWorld, type World } from '../kit/stack.ts';
import { liveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const channel = channelsOf('interactions-in-the-browser').next();

const refundModal = {
  name: 'Refund',
  title: 'Refund {{order.id}}',
  submit_label: 'Ask',
  blocks: [
    {
      type: 'section',
      text: { type: 'mrkdwn', text: 'For {{order.customer}}, by {{interaction.user.id | mention}}' },
    },
    {
      type: 'input',
      label: plain('Why?'),
      element: { type: 'plain_text_input', action_id: 'reason', placeholder: plain('Reason') },
    },
  ],
  sample_data: { order: { id: 'A-1', customer: 'Ada' }, interaction: { user: { id: 'U1' } } },
  activate: true,
};

const orderBlocks = (modalId: string, destinationId: string) => [
  { type: 'header', text: plain('Order {{order.id}}') },
  {
    type: 'actions',
    elements: [
      {
        type: 'button',
        action_id: 'refund',
        text: plain('Refund'),
        interaction: [
          { type: 'open_modal', modal_id: modalId, data: { order: '{{order}}' } },
          {
            type: 'call_destination',
            destination_id: destinationId,
            payload: {
              order: '{{order.id}}',
              reason: '{{interaction.form.reason}}',
              by: '{{interaction.user.id}}',
            },
          },
          {
            type: 'update_message',
            strategy: 'replace_self',
            blocks: [
              {
                type: 'section',
                text: {
                  type: 'mrkdwn',
                  text: '{{order.customer}} gets a refund: {{interaction.form.reason}}',
                },
              },
            ],
          },
        ],
      },
    ],
  },
];

describe('an interactive message in a browser', () => {
  let world: World;
  let browser: Browser;
  let page: Page;
  let receiver: Receiver;
  let api: Api;

  beforeAll(async () => {
    browser = await launchChromium();
    world = await openWorld();
    receiver = await startReceiver();
    const organization = await world.newOrganization();
    api = world.api.with((await organization.key()).key);
    page = await browser.newPage({ viewport: { width: 1_000, height: 800 } });
    page.setDefaultTimeout(limits.conditionMs);
  });
  afterAll(async () => {
    await browser.close();
    await receiver.close();
    await world.close();
  });

  const setUp = async () => {
    const body = { name: 'Refunds', url: receiver.url };
    const { id: destination } = await api.ok(createDestination, { body });
    const { id: modal } = await api.ok(createModal, { body: refundModal });
    const template = await liveTemplate(api, orderBlocks(modal, destination));
    const data = { order: { id: 'A-77', customer: 'Grace' } };
    const sent = await api.ok(sendTemplate, {
      body: { template_id: template.id, data, channel_id: channel },
    });
    return { destination, modal, message: sent.message_id };
  };

  const fillInAndSubmit = async (): Promise<Locator> => {
    await page.goto(world.sandboxUrl);
    await page.getByRole('combobox', { name: 'Acting as' }).selectOption('Grace Hopper');
    const message = page.getByRole('article').filter({ hasText: 'Order A-77' });
    await message.getByRole('button', { name: 'Refund' }).click();
    const dialog = page.getByRole('dialog', { name: 'Refund A-77' });
    await dialog.getByText('For Grace, by @Grace Hopper').waitFor();
    await dialog.getByRole('textbox', { name: 'Why?' }).fill('arrived late');
    await dialog.getByRole('button', { name: 'Ask' }).click();
    await dialog.waitFor({ state: 'detached' });
    return message;
  };

  /** Tells the app everything again that it was told about a message. */
  const tellAgain = async (): Promise<void> => {
    const told: { payload: unknown }[] = JSON.parse(
      await (await fetch(`${world.sandboxUrl}/control/callbacks`)).text(),
    );
    for (const { payload } of told.slice(0, 2)) {
      const body = JSON.stringify(payload);
      await fetch(`${world.sandboxUrl}/control/callbacks`, { method: 'POST', body });
    }
  };

  const story = async (messageId: string) =>
    (await api.ok(listInteractions, { query: { message_id: messageId } })).data;

  it('opens a modal, tells a destination what was entered, and changes; the log tells the story', async () => {
    const { destination, modal, message } = await setUp();
    const shown = await fillInAndSubmit();
    await shown.getByText('Grace gets a refund: arrived late').waitFor();
    await shown.getByText('(edited)').waitFor();
    expect(await shown.getByRole('button', { name: 'Refund' }).count()).toBe(0);

    const [delivered] = await waitFor(
      'the delivery',
      () => receiver.received.length > 0 && receiver.received,
    );
    const { secret } = await api.ok(getSigningSecret, { params: { id: destination } });
    const {
      'webhook-id': id,
      'webhook-timestamp': at,
      'webhook-signature': signature,
    } = delivered?.headers ?? {};
    const headers = {
      'webhook-id': `${id}`,
      'webhook-timestamp': `${at}`,
      'webhook-signature': `${signature}`,
    };
    expect(new Webhook(secret).verify(delivered?.body ?? '', headers)).toEqual({
      order: 'A-77',
      reason: 'arrived late',
      by: 'U0GRACE',
    });

    await tellAgain();
    const [submission, click, ...others] = await waitFor('the end of it', async () => {
      const log = await story(message);
      return log.every(({ status }) => status === 'done') && log;
    });
    expect(others).toEqual([]);
    expect(click).toMatchObject({
      kind: 'block_actions',
      user_id: 'U0GRACE',
      action_id: 'refund',
      actions: [{ type: 'open_modal', status: 'done', modal_id: modal }],
    });
    const { data: deliveries } = await api.ok(listDeliveries, { params: { id: destination } });
    expect(submission).toMatchObject({
      kind: 'view_submission',
      opened_by: click?.id,
      form: { reason: 'arrived late' },
      actions: [
        {
          type: 'call_destination',
          status: 'done',
          destination_id: destination,
          delivery_id: deliveries[0]?.id,
        },
        { type: 'update_message', status: 'done', strategy: 'replace_self' },
      ],
    });
    expect(deliveries).toHaveLength(1);
    expect(receiver.received).toHaveLength(1);
  });
});
