import { describe, expect, it } from '@jest/globals';
import {
  activateModalVersion,
  appendModalVersion,
  createModal,
  deleteModal,
  getModal,
  limits,
  listAuditLog,
  listModals,
  listModalVersions,
  previewModal,
  updateModal,
} from '@stanza/contracts';
import { findViewRefusal } from '@stanza/sandbox/limits';
import { v7 } from 'uuid';
import type { ApiAnswer } from '../kit/api.ts';
import { sharedByTests } from '../kit/shared.ts';
import { openWorldWith } from '../kit/stack.ts';
import { waitFor } from '../kit/wait.ts';

const askWhy = [
  { type: 'section', id: 'what', text: { type: 'mrkdwn', text: 'Refund *{{order.id}}*?' } },
  {
    type: 'input',
    id: 'why',
    label: { type: 'plain_text', text: 'Why, {{name}}?' },
    element: { type: 'plain_text_input', action_id: 'reason' },
  },
];
const refund = { name: 'Refund', title: 'Refund {{order.id}}', blocks: askWhy };
const sample_data = { name: 'Ada', order: { id: 'A-1' } };

describe('a modal over the API', () => {
  const own = sharedByTests(() => openWorldWith({ connected: false }));

  it('is created, shown, given versions and steps, and deleted, all of it on record', async () => {
    const made = await own().api.ok(createModal, { body: { ...refund, sample_data } });
    expect(made).toMatchObject({
      submit_label: 'Submit',
      close_label: 'Cancel',
      steps: null,
      is_multi_step: false,
      current_version_id: null,
      current_version: null,
      version: { status: 'draft', placeholder_mapping: null, sample_data },
    });
    const params = { id: made.id };

    const draft = await own().api.ok(previewModal, { params });
    expect(draft.view).toMatchObject({ title: { text: 'Refund A-1' }, submit: { text: 'Submit' } });
    expect(findViewRefusal(draft.view)).toBeUndefined();

    await own().api.ok(activateModalVersion, { params: { ...params, version_id: made.version.id } });
    const second = await own().api.ok(appendModalVersion, {
      params,
      body: { blocks: askWhy, placeholder_mapping: { name: 'customer.name' }, activate: true },
    });
    const { data: versions } = await own().api.ok(listModalVersions, { params });
    expect(versions.map((it) => it.status)).toEqual(['active', 'inactive']);
    expect((await own().api.ok(getModal, { params })).current_version_id).toBe(second.id);

    const steps = [
      { title: 'Refund: why', blocks: askWhy, submit_label: 'Next' },
      { title: 'Refund: sure?', blocks: [{ type: 'divider' }] },
    ];
    expect(await own().api.ok(updateModal, { params, body: { steps } })).toMatchObject({
      is_multi_step: true,
    });
    const data = { customer: { name: 'Bob' }, order: { id: 'A-2' } };
    const first = await own().api.ok(previewModal, { params, body: { data } });
    expect(first).toMatchObject({ step: 0, step_count: 2, version_id: second.id });
    expect(JSON.stringify(first.view)).toContain('Why, Bob?');
    const last = await own().api.ok(previewModal, { params, body: { step: 1, data } });
    expect(last.view).toMatchObject({ title: { text: 'Refund: sure?' }, submit: { text: 'Submit' } });
    for (const { view } of [first, last]) expect(findViewRefusal(view)).toBeUndefined();
    expect(await own().api.post(`/v1/modals/${made.id}/preview`, { step: 2 })).toMatchObject({
      status: 422,
      body: { code: 'validation_failed' },
    });

    expect((await own().api.ok(listModals, { query: { q: 'refund' } })).data).toHaveLength(1);
    await own().api.ok(deleteModal, { params });
    expect(await own().api.get(`/v1/modals/${made.id}`)).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });

    const actions = await waitFor('every step in the audit log', async () => {
      const log = await own().api.ok(listAuditLog, { query: { limit: '100' } });
      const found = log.data.filter((it) => it.action.startsWith('modal.')).map((it) => it.action);
      return found.includes('modal.deleted') ? found.toReversed() : undefined;
    });
    expect(actions).toEqual([
      'modal.created',
      'modal.activated',
      'modal.version_added',
      'modal.updated',
      'modal.deleted',
    ]);
  });

  it('with an Idempotency-Key is created once, and activated once', async () => {
    const keyed = { headers: { 'idempotency-key': v7() } };
    const body = { ...refund, name: 'Once', sample_data };
    const [first, again] = [
      await own().api.post('/v1/modals', body, keyed),
      await own().api.post('/v1/modals', body, keyed),
    ];
    expect(first.status).toBe(201);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await own().api.ok(listModals, { query: { q: 'once' } })).data).toHaveLength(1);
    expect(await own().api.post('/v1/modals', { ...body, title: 'Other' }, keyed)).toMatchObject({
      status: 409,
      body: { code: 'idempotency_conflict' },
    });
    const { id, version } = createModal.reply.parse(first.body);
    const path = `/v1/modals/${id}/versions/${version.id}/activate`;
    const active = await own().api.post(path, undefined, keyed);
    expect(active).toMatchObject({ status: 200, body: { status: 'active', is_current: true } });
    const replayed = await own().api.post(path, undefined, keyed);
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    expect(replayed.text).toBe(active.text);
  });

  const refusalOf = ({ status, body }: ApiAnswer) => ({ status, body });

  it.each([
    ['without a title', { title: undefined }, 'title'],
    ['with a title of 25 characters', { title: 'x'.repeat(25) }, 'title'],
    ['with a name of 256 characters', { name: 'x'.repeat(256) }, 'name'],
    ['with a description of 2001 characters', { description: 'x'.repeat(2_001) }, 'description'],
    ['with an empty submit label', { submit_label: '' }, 'submit_label'],
    ['with a close label of 25 characters', { close_label: 'x'.repeat(25) }, 'close_label'],
    ['without blocks', { blocks: [] }, 'blocks'],
    ['with 101 blocks', { blocks: Array.from({ length: 101 }, () => ({ type: 'divider' })) }, 'blocks'],
    ['with sample data that is a list', { sample_data: [1] }, 'sample_data'],
    ['with an unknown key', { placeholder_mapping: {} }, 'placeholder_mapping'],
  ])('is refused %s', async (_, wrong, key) => {
    const answer = await own().api.post('/v1/modals', { ...refund, sample_data, ...wrong });
    expect(refusalOf(answer)).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', message: expect.stringMatching(`^${key}: `) },
    });
  });

  it('takes the longest of everything', async () => {
    const blocks = Array.from({ length: 100 }, () => ({ type: 'divider' }));
    const long = {
      name: 'x'.repeat(255),
      title: 'x'.repeat(24),
      description: 'x'.repeat(2_000),
      submit_label: 'x'.repeat(24),
      close_label: 'x'.repeat(24),
    };
    const { id } = await own().api.ok(createModal, { body: { ...long, blocks, activate: true } });
    const { view } = await own().api.ok(previewModal, { params: { id } });
    expect(view.blocks).toHaveLength(100);
    expect(findViewRefusal(view)).toBeUndefined();
  });

  it('of 256 KiB is taken, and one byte more is refused', async () => {
    const text = JSON.stringify(refund);
    const full = await own().api.post('/v1/modals', undefined, { raw: text.padEnd(limits.modalBody) });
    expect(full.status).toBe(201);
    const more = await own().api.post('/v1/modals', undefined, { raw: text.padEnd(limits.modalBody + 1) });
    expect(refusalOf(more)).toMatchObject({ status: 413, body: { code: 'invalid_request' } });
  });

  it('whose blocks do not compile is refused with every problem', async () => {
    const blocks = [{ type: 'markdown', text: 'x' }, { type: 'headr' }];
    expect(await own().api.post('/v1/modals', { ...refund, blocks })).toMatchObject({
      status: 400,
      body: { code: 'compilation_failed', details: expect.stringMatching(/^\/blocks\/0.*\n\/blocks\/1/) },
    });
  });

  it('may be created by members, read by viewers, and not reached by other organizations', async () => {
    const { id } = await own().api.ok(createModal, { body: { ...refund, sample_data } });
    const viewer = own().world.api.with((await own().organization.key({ role: 'viewer' })).key);
    expect((await viewer.ok(getModal, { params: { id } })).id).toBe(id);
    expect((await viewer.ok(previewModal, { params: { id } })).success).toBe(true);
    expect(await viewer.post('/v1/modals', refund)).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope', required_scopes: ['modals:write'] },
    });
    const preview = own().world.api.with((await own().organization.key({ environment: 'preview' })).key);
    const other = await own().world.newOrganization({ connected: false });
    for (const stranger of [preview, own().world.api.with((await other.key()).key)]) {
      for (const path of [`/v1/modals/${id}`, `/v1/modals/${id}/versions`]) {
        expect(await stranger.get(path)).toMatchObject({ status: 404, body: { code: 'not_found' } });
      }
      expect((await stranger.post(`/v1/modals/${id}/preview`, {})).status).toBe(404);
    }
  });
});
