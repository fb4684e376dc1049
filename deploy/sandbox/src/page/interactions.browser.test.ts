import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { limits } from '@stanza/test-kit/limits';
import { sharedByTests } from '@stanza/test-kit/shared';
import type { Page } from 'playwright-core';
import { launchChromium } from '../testing/chromium.ts';
import { type StartedSandbox, startedSandbox } from '../testing/started-sandbox.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const options = ['S', 'M', 'L'].map((value) => ({ text: plain(value), value: value.toLowerCase() }));

const message = [
  {
    type: 'actions',
    block_id: 'order',
    elements: [
      { type: 'button', action_id: 'open', text: plain('Order'), value: 'A-1' },
      { type: 'static_select', action_id: 'size', placeholder: plain('Size'), options },
    ],
  },
];

const input = (block_id: string, label: string, element: object, more: object = {}) => ({
  type: 'input',
  block_id,
  label: plain(label),
  element,
  ...more,
});

const modal = {
  type: 'modal',
  title: plain('Your order'),
  submit: plain('Send'),
  private_metadata: 'state',
  blocks: [
    input('why', 'Why', { type: 'plain_text_input', action_id: 'reason', placeholder: plain('Reason') }),
    input(
      'how',
      'How',
      { type: 'checkboxes', action_id: 'ways', options: options.slice(0, 2) },
      { optional: true },
    ),
    input('who', 'Who', { type: 'users_select', action_id: 'person', placeholder: plain('Person') }),
  ],
};

type Json = Record<string, unknown>;

/** The app of the sandbox: opens the modal on a click and answers submissions as set by the test. */
class TestApp {
  readonly told: Json[] = [];
  readonly headers: string[] = [];
  answer: Json = {};
  onClick: (trigger: string) => Promise<unknown> = async () => undefined;
  readonly #server: Server;
  readonly #waiting: { count: number; wake: () => void }[] = [];

  constructor() {
    this.#server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      const payload: Json = JSON.parse(new URLSearchParams(body).get('payload') ?? '{}');
      this.told.push(payload);
      this.headers.push(String(request.headers['x-slack-signature']));
      for (const { count, wake } of this.#waiting) if (this.told.length >= count) wake();
      if (payload.type === 'block_actions') await this.onClick(String(payload.trigger_id));
      response.end(JSON.stringify(payload.type === 'view_submission' ? this.answer : {}));
    });
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
  }

  /** Waits for a number of callbacks. */
  async hears(count: number): Promise<Json[]> {
    if (this.told.length < count) {
      await new Promise<void>((wake) => this.#waiting.push({ count, wake }));
    }
    return this.told;
  }

  async close(): Promise<void> {
    this.#server.close();
    await once(this.#server, 'close');
  }
}

const browser = sharedByTests(launchChromium);

let sandbox: StartedSandbox;
let app: TestApp;
let page: Page;
let complaints: string[];

beforeEach(async () => {
  sandbox = await startedSandbox();
  app = new TestApp();
  const interactions_url = await app.listen();
  const body = JSON.stringify({ interactions_url, signing_secret: 'secret' });
  await fetch(`${sandbox.url}/control/app`, { method: 'PUT', body });
  app.onClick = (trigger_id) => sandbox.client().apiCall('views.open', { trigger_id, view: modal });
  page = await browser().newPage();
  page.setDefaultTimeout(limits.conditionMs);
  complaints = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  await sandbox.client().apiCall('chat.postMessage', { channel: 'C0GENERAL', blocks: message });
  await page.goto(sandbox.url);
  await page.getByText('Live', { exact: true }).waitFor();
});
afterEach(async () => {
  await page.close();
  await app.close();
  await sandbox.close();
  expect(complaints).toEqual([]);
});

const dialog = () => page.getByRole('dialog', { name: 'Your order' });

const openModal = async (): Promise<void> => {
  await page.getByRole('button', { name: 'Order' }).click();
  await dialog().waitFor();
};

const fillIn = async (): Promise<void> => {
  await dialog().getByRole('textbox', { name: 'Why' }).fill('late');
  await dialog().getByRole('checkbox', { name: 'M' }).check();
  await dialog().getByRole('combobox', { name: 'Person' }).selectOption('Grace Hopper');
};

describe('what people do on the page', () => {
  it('is sent to the app, signed: a button and a menu of a message', async () => {
    app.onClick = async () => undefined;
    await page.getByRole('combobox', { name: 'Acting as' }).selectOption('Grace Hopper');
    await page.getByRole('button', { name: 'Order' }).click();
    await app.hears(1);
    await page.getByRole('combobox', { name: 'Size' }).selectOption('M');
    expect(await app.hears(2)).toMatchObject([
      {
        type: 'block_actions',
        user: { id: 'U0GRACE' },
        team: { id: 'TACME' },
        container: { type: 'message', channel_id: 'C0GENERAL' },
        actions: [{ type: 'button', action_id: 'open', block_id: 'order', value: 'A-1' }],
      },
      {
        actions: [{ type: 'static_select', action_id: 'size', selected_option: { value: 'm' } }],
        state: { values: { order: { size: { selected_option: { value: 'm' } } } } },
      },
    ]);
    expect(app.headers.every((signature) => /^v0=[0-9a-f]{64}$/.test(signature))).toBe(true);
  });

  it('fills in and submits a modal, which closes when the app has nothing to say', async () => {
    await openModal();
    await fillIn();
    await dialog().getByRole('button', { name: 'Send' }).click();
    await dialog().waitFor({ state: 'detached' });
    const [, submission] = await app.hears(2);
    expect(submission).toMatchObject({
      type: 'view_submission',
      user: { id: 'U0ADA' },
      view: {
        private_metadata: 'state',
        state: {
          values: {
            why: { reason: { type: 'plain_text_input', value: 'late' } },
            how: { ways: { selected_options: [{ value: 'm' }] } },
            who: { person: { selected_user: 'U0GRACE' } },
          },
        },
      },
    });
  });

  it('does not submit a modal whose required inputs are empty, and says which', async () => {
    await openModal();
    await dialog().getByRole('button', { name: 'Send' }).click();
    await dialog().getByText('Please complete this required field.').nth(1).waitFor();
    expect(await dialog().getByText('Please complete this required field.').count()).toBe(2);
    expect(app.told).toHaveLength(1);
  });

  it.each([
    [
      'errors at the inputs',
      { response_action: 'errors', errors: { why: 'That is no reason.' } },
      'That is no reason.',
    ],
    [
      'the next view in its place',
      { response_action: 'update', view: { ...modal, title: plain('Step two') } },
      'Step two',
    ],
    ['a view upon it', { response_action: 'push', view: { ...modal, title: plain('On top') } }, 'On top'],
  ])('shows %s when the app answers so', async (_, answer, text) => {
    app.answer = answer;
    await openModal();
    await fillIn();
    await dialog().getByRole('button', { name: 'Send' }).click();
    await page.getByText(text).waitFor();
  });

  it('closes a modal without telling the app', async () => {
    await openModal();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
    expect(app.told).toHaveLength(1);
  });

  it('shows at once what the app changes about a message', async () => {
    app.onClick = async () => {
      const [{ ts } = { ts: '' }] = await sandbox.messages();
      await sandbox.client().chat.update({ channel: 'C0GENERAL', ts, text: 'Ordered' });
    };
    await page.getByRole('button', { name: 'Order' }).click();
    await page.getByText('(edited)').waitFor();
  });

  it('turns faults on and off', async () => {
    await page.getByText('Misbehave').click();
    await page.getByRole('combobox', { name: 'Method' }).selectOption('chat.postMessage');
    await page.getByRole('combobox', { name: 'Mode' }).selectOption('error');
    await page.getByRole('textbox', { name: 'Value' }).fill('fatal_error');
    await page.getByRole('button', { name: 'Add fault' }).click();
    await page.getByText('chat.postMessage error fatal_error (every time)').waitFor();
    await page.getByRole('button', { name: 'Behave', exact: true }).click();
    await page.getByText('chat.postMessage error fatal_error (every time)').waitFor({ state: 'detached' });
  });
});
