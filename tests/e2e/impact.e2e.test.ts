import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  appendTemplateVersion,
  createQueue,
  createSampleData,
  createScheduledMessage,
  getTemplateImpact,
  getTemplateUse,
  pushEvents,
  sendTemplate,
  type TemplateImpact,
} from '@stanza/contracts';
import type { Api } from '../kit/api.ts';
import { channelsOf } from '../kit/channels.ts';
import { openWorldWith, type World } from '../kit/stack.ts';
import { liveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

const channels = channelsOf('impact');
const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });

describe('the use and the impact of a template', () => {
  let world: World;
  let api: Api;
  let id: string;
  let versionId: string;
  let scheduleId: string;
  let batchId: string;
  let queueId: string;
  let sampleId: string;
  const channel_id = channels.next();

  beforeAll(async () => {
    ({ world, api } = await openWorldWith({ credits: 100 }));
    const blocks = [section('{{service}} of {{queue.name | default: "nothing"}}')];
    ({ id, versionId } = await liveTemplate(api, blocks, { sample_data: { service: 'api' } }));
    const policy = { name: 'Deploys', mode: 'fixed_volume', threshold: 10, template_id: id, channel_id };
    queueId = (await api.ok(createQueue, { body: policy })).id;
    const pushed = { params: { id: queueId }, body: { events: [{ service: 'api' }] } };
    batchId = (await api.ok(pushEvents, pushed)).batch_id;
    const schedule = { template_id: id, data: { service: 'api' }, channel_id, cron: '0 9 1 1 *' };
    scheduleId = (await api.ok(createScheduledMessage, { body: schedule })).id;
    const sample = { name: 'With a version', template_id: id, data: { service: 'api', version: '1.4.2' } };
    sampleId = (await api.ok(createSampleData, { body: sample })).id;
    await api.ok(sendTemplate, { body: { template_id: id, data: { service: 'api' }, channel_id } });
  });
  afterAll(() => world.close());

  const impact = (body: object): Promise<TemplateImpact> =>
    api.ok(getTemplateImpact, { params: { id }, body });
  const effects = ({ data }: TemplateImpact) => Object.fromEntries(data.map((it) => [it.id, it.effect]));

  it('names queues, batches, schedules and callers', async () => {
    // A send is charged after its answer.
    const use = await waitFor('the send to be charged', async () => {
      const told = await api.ok(getTemplateUse, { params: { id } });
      return told.callers.length > 0 && told;
    });
    expect(use).toMatchObject({
      queues: [{ id: queueId, name: 'Deploys' }],
      batches: [{ id: batchId, status: 'collecting' }],
      schedules: [{ id: scheduleId, timing: '0 9 1 1 *' }],
      modals: [],
      callers: [{ operation: 'send', count: 1, name: expect.any(String) }],
    });
  });

  it('is nothing for the blocks that are live', async () => {
    const same = await impact({ version_id: versionId });
    expect(same.summary).toEqual({ same: 3, changed: 0, warning: 1, breaks: 0 });
    expect(same.inputs).toEqual({ required: [], added: [], gone: [], retyped: [] });
    expect(same.not_looked_at.map((it) => it.what)).toEqual(['sends']);
  });

  it('tells of each piece of data what becomes of it', async () => {
    const warned = await impact({ blocks: [section('{{service}} {{version}}')] });
    expect(warned.inputs).toMatchObject({
      required: ['version'],
      added: ['version'],
      gone: ['queue', 'queue.name'],
    });
    expect(effects(warned)).toEqual({
      [versionId]: 'warning',
      [scheduleId]: 'warning',
      [batchId]: 'warning',
      [sampleId]: 'changed',
    });
    const ofSchedule = warned.data.find((it) => it.id === scheduleId);
    expect(ofSchedule).toMatchObject({
      source: 'schedule',
      name: '0 9 1 1 *',
      problems: [{ pointer: '/blocks/0/text/text', rule: 'value.missing' }],
    });
    const broken = await impact({ blocks: [section('{{version | default: ""}}')] });
    expect(effects(broken)).toMatchObject({ [scheduleId]: 'breaks', [sampleId]: 'changed' });
    expect(broken.data.at(-1)?.effect).toBe('changed');
  });

  it('stops an activation that is asked to mind it, and no other', async () => {
    const params = { id };
    const blocks = [section('{{version | default: ""}}')];
    const { id: version_id } = await api.ok(appendTemplateVersion, { params, body: { blocks } });
    const activate = (body: object) => api.post(`/v1/templates/${id}/versions/${version_id}/activate`, body);
    const refused = await activate({ accept_breaks: false });
    expect([refused.status, refused.body]).toEqual([
      409,
      expect.objectContaining({ code: 'activation_breaks', details: expect.stringContaining(scheduleId) }),
    ]);
    expect((await activate({ accept_breaks: true })).status).toBe(200);
    expect((await activate({ accept_breaks: false })).status).toBe(200);
  });
});
