import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  appendModalVersion,
  createModal,
  deleteModal,
  listInteractions,
  sendTemplate,
  updateModal,
  validateTemplate,
} from '@stanza/contracts';
import { z } from 'zod';
import type { Api } from '../kit/api.ts';
import { channelsOf } from '../kit/channels.ts';
import { openWorldWith, type World } from '../kit/stack.ts';
import { liveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
const asks = (action_id: string, label: string) => ({
  type: 'input',
  block_id: action_id,
  label: plain(label),
  element: { type: 'plain_text_input', action_id },
});

const channel = channelsOf('interaction-steps').next();

const view = z.looseObject({
  id: z.string(),
  team_id: z.string(),
  title: z.looseObject({ text: z.string() }),
});

describe('a modal of several steps', () => {
  let world: World;
  let api: Api;
  let workspace: string;

  beforeAll(async () => {
    ({ world, api } = await openWorldWith());
    workspace = '';
  });
  afterAll(() => world.close());

  const onPlatform = async (path: string, body?: object): Promise<unknown> => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    return JSON.parse(await (await fetch(`${world.sandboxUrl}${path}`, init)).text());
  };
  const openView = async () => {
    const views = z.array(view).parse(await onPlatform('/control/views'));
    return views.find((it) => it.team_id === workspace);
  };
  const submit = async (view_id: string, id: string, value: string): Promise<void> => {
    const state = { [id]: { [id]: { type: 'plain_text_input', value } } };
    expect(await onPlatform('/interactions/submit', { view_id, state })).toEqual({ ok: true });
  };

  /** A modal of two steps, the second of which shows under other names what the message and the first one said. */
  const newModal = async (): Promise<string> => {
    const sample_data = { order: { id: 'A-1' }, interaction: { form: { why: 'x' } } };
    const blocks = [asks('why', 'Why?')];
    const body = { name: 'Refund', title: 'Refund', blocks, sample_data, activate: true };
    const { id } = await api.ok(createModal, { body });
    const placeholder_mapping = { number: 'order.id', reason: 'interaction.form.why' };
    await api.ok(appendModalVersion, {
      params: { id },
      body: { blocks, sample_data, placeholder_mapping, activate: true },
    });
    const steps = [
      { title: 'Why', blocks, submit_label: 'Next' },
      { title: 'Order {{number}}', blocks: [section('Since {{reason}}'), asks('how', 'How?')] },
    ];
    await api.ok(updateModal, { params: { id }, body: { steps } });
    return id;
  };

  const sendMessage = async (modal_id: string) => {
    const interaction = [
      { type: 'open_modal', modal_id, data: { order: '{{order}}' } },
      {
        type: 'update_message',
        strategy: 'append',
        blocks: [section('{{order.id}}: {{interaction.form.why}}, {{interaction.form.how}}')],
      },
    ];
    const button = { type: 'button', action_id: 'refund', text: plain('Refund'), interaction };
    const template = await liveTemplate(api, [{ type: 'actions', block_id: 'buttons', elements: [button] }]);
    const data = { order: { id: 'A-78' } };
    const body = { template_id: template.id, data, channel_id: channel };
    const { message_id, message_ts } = await api.ok(sendTemplate, { body });
    return { message_id, message_ts, templateId: template.id };
  };

  const messageOf = async (ts: string) =>
    (await world.sandbox.messages(channel)).find((message) => message.ts === ts);

  it('shows dates as the template of the message does', async () => {
    const title = '{{due | date:"HH:mm"}}';
    const blocks = [section('{{due}}')];
    const made = { name: 'Due', title, blocks, sample_data: { due: '2026-01-01T00:00:00Z' }, activate: true };
    const { id: modal_id } = await api.ok(createModal, { body: made });
    const interaction = [{ type: 'open_modal', modal_id, data: { due: '{{due}}' } }];
    const button = { type: 'button', action_id: 'look', text: plain('Look'), interaction };
    const shown = [{ type: 'actions', block_id: 'buttons', elements: [button] }];
    const template = await liveTemplate(api, shown, { timezone: 'Europe/Berlin' });
    const body = { template_id: template.id, data: { due: '2026-07-01T22:30:00Z' }, channel_id: channel };
    const { message_ts: ts } = await api.ok(sendTemplate, { body });
    workspace = z.string().parse((await messageOf(ts))?.workspace);
    const action = { type: 'button', action_id: 'look', block_id: 'buttons' };
    await onPlatform('/interactions/action', { workspace, channel, ts, user: 'U0ADA', action });
    const open = await waitFor('the modal', openView);
    expect(open.title.text).toBe('00:30');
    // A view that stays open covers the page of the sandbox, which other tests use.
    await onPlatform('/interactions/submit', { view_id: open.id, state: {} });
  });

  it('carries over what was entered, under the names of its mapping, and the message shows all of it', async () => {
    const modal = await newModal();
    const { message_id, message_ts: ts } = await sendMessage(modal);
    workspace = z.string().parse((await messageOf(ts))?.workspace);
    const action = { type: 'button', action_id: 'refund', block_id: 'buttons' };
    const used = { workspace, channel, ts, user: 'U0ADA', action };
    expect(await onPlatform('/interactions/action', used)).toEqual({ ok: true });
    const first = await waitFor('the modal', openView);
    expect(first.title.text).toBe('Why');

    await submit(first.id, 'why', 'it broke');
    const second = await waitFor('the second step', openView);
    expect([second.id, second.title.text]).toEqual([first.id, 'Order A-78']);
    expect(JSON.stringify(second)).toContain('Since it broke');

    await submit(second.id, 'how', 'by card');
    expect(await openView()).toBeUndefined();
    await waitFor('the update', async () =>
      JSON.stringify((await messageOf(ts))?.blocks).includes('A-78: it broke, by card'),
    );
    const { data } = await waitFor('the log', async () => {
      const log = await api.ok(listInteractions, { query: { message_id } });
      return log.data.every(({ status }) => status === 'done') && log;
    });
    expect(data.map(({ kind, form, actions }) => [kind, form, actions.map((it) => it.type)])).toEqual([
      ['view_submission', { why: 'it broke', how: 'by card' }, ['update_message']],
      ['view_submission', { why: 'it broke' }, ['open_modal']],
      ['block_actions', {}, ['open_modal']],
    ]);
    expect(new Set(data.map((it) => it.opened_by)).size).toBe(3);
  });

  /** A use of a button whose modal the data of the message names. */
  const useOf = async (modal: string) => {
    const interaction = [{ type: 'open_modal', modal_id: '{{form}}', data: { order: { id: 'A-9' } } }];
    const button = { type: 'button', action_id: 'ask', text: plain('Ask'), interaction };
    const template = await liveTemplate(api, [{ type: 'actions', block_id: 'buttons', elements: [button] }]);
    const body = { template_id: template.id, data: { form: modal }, channel_id: channel };
    const { message_id, message_ts: ts } = await api.ok(sendTemplate, { body });
    workspace = z.string().parse((await messageOf(ts))?.workspace);
    const action = { type: 'button', action_id: 'ask', block_id: 'buttons' };
    expect(
      await onPlatform('/interactions/action', { workspace, channel, ts, user: 'U0ADA', action }),
    ).toEqual({ ok: true });
    return waitFor('the end of the action', async () => {
      const { data } = await api.ok(listInteractions, { query: { message_id } });
      return data[0]?.status !== 'open' && data[0]?.actions[0];
    });
  };

  it('may be named by the data of the message', async () => {
    expect(await useOf(await newModal())).toMatchObject({ type: 'open_modal', status: 'done' });
    // A view that stays open covers the page of the sandbox, which other tests use.
    const first = await waitFor('the modal', openView);
    await submit(first.id, 'why', 'it broke');
    await submit((await waitFor('the second step', openView)).id, 'how', 'by card');
    expect(await openView()).toBeUndefined();
  });

  it.each(['01938c2e-7b1a-7c3d-9e4f-00000000dead', 'refund'])(
    'is told to be missing where the data names none: %s',
    async (id) => {
      const action = await useOf(id);
      expect(action).toMatchObject({ status: 'failed', error: 'modal_not_found' });
      expect(JSON.stringify(action)).not.toContain(id);
    },
  );

  it('is a problem of validate, of saving and of a draft where the template names none', async () => {
    const button = { type: 'button', action_id: 'ask', text: plain('Ask') };
    const naming = (modal_id: string, destination_id: string) => [
      {
        type: 'actions',
        block_id: 'buttons',
        elements: [
          {
            ...button,
            interaction: [
              { type: 'open_modal', modal_id },
              { type: 'call_destination', destination_id },
            ],
          },
        ],
      },
    ];
    const unknown = '01938c2e-7b1a-7c3d-9e4f-00000000dead';
    const at = '/blocks/0/elements/0/interaction';
    const { valid, errors } = await api.ok(validateTemplate, { body: { blocks: naming(unknown, unknown) } });
    expect([valid, errors?.map(({ pointer, rule }) => [pointer, rule])]).toEqual([
      false,
      [
        [`${at}/0/modal_id`, 'reference.unknown'],
        [`${at}/1/destination_id`, 'reference.unknown'],
      ],
    ]);
    const body = { name: 'Ask', blocks: naming(unknown, unknown) };
    expect(await api.post('/v1/templates', body)).toMatchObject({
      status: 400,
      body: { code: 'compilation_failed', details: expect.stringContaining('reference.unknown') },
    });
    const noId = { name: 'Ask', blocks: naming('refund', '{{hook}}') };
    expect(await api.post('/v1/templates', noId)).toMatchObject({
      status: 400,
      body: { code: 'compilation_failed', details: expect.stringContaining('There is no modal of this id') },
    });
  });

  it('cannot be deleted while a live template opens it', async () => {
    const modal = await newModal();
    await sendMessage(modal);
    const { status, body } = await api.request('DELETE', `/v1${deleteModal.path.replace('{id}', modal)}`);
    expect([status, body]).toMatchObject([409, { code: 'invalid_state' }]);
  });
});
