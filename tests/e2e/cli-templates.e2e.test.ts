import { existsSync, renameSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  activateTemplateVersion,
  appendTemplateVersion,
  archiveTemplate,
  compileTemplate,
  createDestination,
  createEntity,
  createModal,
  createQueue,
  createScheduledMessage,
  getEntity,
  getTemplate,
  listEntities,
  listModals,
  listQueues,
  listScheduledMessages,
  listTemplates,
  listTemplateVersions,
  pushEvents,
  updateTemplate,
  validateToken,
} from '@stanza/contracts';
import { messages } from '@stanza/gallery/exhibits';
import type { Api } from '../kit/api.ts';
import type { TestOrganization } from '../kit/organization.ts';
import { sharedByTests } from '../kit/shared.ts';
import { openWorld } from '../kit/stack.ts';
import { TemplateFolder } from '../kit/template-folder.ts';
import { deployBlocks, liveTemplate } from '../kit/templates.ts';

const plainSection = (text: string) => ({ type: 'section', text: { type: 'plain_text', text } });
const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });

describe('templates as files', () => {
  const world = sharedByTests(openWorld);
  let api: Api;
  let key: string;
  let organization: TestOrganization;
  let folder: TemplateFolder;

  beforeEach(async () => {
    organization = await world().newOrganization();
    ({ key } = await organization.key());
    api = world().api.with(key);
  });

  /** Runs a test in a folder of its own. */
  const inFolder = (test: () => Promise<void>) => async () => {
    await using made = await TemplateFolder.make(() => ({ STANZA_URL: api.base, STANZA_KEY: key }));
    folder = made;
    await test();
  };

  const run = (...words: string[]) => folder.run([...words, '--yes']);
  const json = async (...words: string[]) => JSON.parse((await run(...words, '--json')).out);
  const statuses = async (...words: string[]) => {
    const { templates } = await json('plan', ...words);
    return Object.fromEntries(templates.map((it: { key: string; status: string }) => [it.key, it.status]));
  };
  const idOf = async (templateKey: string): Promise<string> => {
    const { data } = await api.ok(listTemplates, { query: { key: templateKey } });
    return data[0]?.id ?? '';
  };
  const versionsOf = async (templateKey: string) =>
    (await api.ok(listTemplateVersions, { params: { id: await idOf(templateKey) } })).data;

  it(
    'are pushed from a folder that keeps the base state alone, and a push that fails says where',
    inFolder(async () => {
      await folder.write('greeting', { name: 'Greeting', blocks: [section('Hello')] });
      const away = `${folder.path}-away`;
      // The plan is shown once all files are read.
      const noted = () => existsSync(folder.path) && renameSync(folder.path, away);
      const refused = await folder.run(['push', '--yes'], { noted });
      expect(refused).toMatchObject({ code: 1, notes: expect.stringContaining('cannot be written: ENOENT') });
      expect((await api.ok(listTemplates, {})).data).toEqual([]);
      renameSync(away, folder.path);
      const writes = ['templates:read', 'templates:create', 'templates:update', 'messages:preview'] as const;
      const { key: weaker } = await organization.key({ scopes: [...writes] });
      const ended = await folder.run(['push', '--activate', '--yes'], {
        env: { STANZA_URL: api.base, STANZA_KEY: weaker },
      });
      expect(ended).toMatchObject({ code: 1, notes: expect.stringContaining('the push ended at greeting:') });
      expect(await run('push', '--activate')).toMatchObject({ code: 0, out: 'greeting: activate' });
      expect(await readdir(folder.path)).toEqual(['stanza.json', 'stanza.lock.json', 'templates']);
    }),
  );

  it(
    'are pulled without ids, in the same form each time, and then there is nothing to do',
    inFolder(async () => {
      const { id: modalId } = await api.ok(createModal, {
        body: {
          name: 'Refund',
          title: 'Refund',
          activate: true,
          blocks: [{ type: 'section', text: { type: 'plain_text', text: 'Sure?' } }],
        },
      });
      const { id: entityId } = await api.ok(createEntity, { body: { name: 'Order' } });
      const button = {
        type: 'button',
        action_id: 'refund',
        text: { type: 'plain_text', text: 'Refund {{order}}' },
        interaction: [{ type: 'open_modal', modal_id: modalId }],
      };
      const { id } = await liveTemplate(api, [{ type: 'actions', elements: [button] }], {
        name: 'Refunds',
        description: 'Asks before money goes back.',
        entity_id: entityId,
        sample_data: { order: 4711 },
      });
      await liveTemplate(api);
      expect(await run('pull')).toMatchObject({ code: 0 });
      const first = await folder.files();
      expect(Object.keys(first)).toEqual([
        'entities/order.json',
        'modals/refund.json',
        'stanza.json',
        'stanza.lock.json',
        ...['deploy-alert', 'refunds'].flatMap((it) =>
          ['data', 'expected', 'template'].map((file) => `templates/${it}/${file}.json`),
        ),
      ]);
      expect(await folder.read('refunds')).toEqual({
        name: 'Refunds',
        description: 'Asks before money goes back.',
        entity: 'order',
        blocks: [
          {
            type: 'actions',
            elements: [{ ...button, interaction: [{ type: 'open_modal', modal_id: 'refund' }] }],
          },
        ],
      });
      expect(await folder.read('refunds', 'data.json')).toEqual({ order: 4711 });
      const { 'stanza.lock.json': _, ...written } = first;
      expect(JSON.stringify(written)).not.toMatch(/[\da-f]{8}-[\da-f]{4}-/);
      expect((await run('pull')).code).toBe(0);
      expect(await folder.files()).toEqual(first);
      expect(await run('plan')).toMatchObject({ code: 0, out: expect.stringContaining('4 unchanged') });
      expect((await run('test')).code).toBe(0);
      await api.ok(appendTemplateVersion, { params: { id }, body: { blocks: [section('Changed')] } });
      expect(await run('plan')).toMatchObject({
        code: 0,
        out: expect.stringContaining('changed there'),
        notes: expect.stringContaining('--strict'),
      });
      expect((await run('plan', '--strict')).code).toBe(4);
      await run('pull');
      expect(await folder.read('refunds')).toMatchObject({ blocks: [section('Changed')] });
      expect((await run('plan')).code).toBe(0);
    }),
  );

  it(
    'that wait to be live are shown as they differ from what is live',
    inFolder(async () => {
      const planned = async () => (await json('plan', '--activate')).templates;
      const write = (text: string) => folder.write('greeting', { name: 'Greeting', blocks: [section(text)] });
      await write('Hello');
      await run('push');
      const first = { status: 'unchanged', actions: ['activate'], about: [] };
      expect(await planned()).toMatchObject([{ ...first, text: { before: [], after: ['Hello'] } }]);
      await run('push', '--activate');
      await write('Good day');
      await run('push');
      const text = { before: ['Hello'], after: ['Good day'] };
      expect(await planned()).toMatchObject([{ ...first, text }]);
    }),
  );

  it(
    'are pushed as the plan says, in other places too, and live when they are told to be',
    inFolder(async () => {
      await folder.write('greeting', { name: 'Greeting', blocks: [section('Hello {{name}}')] });
      await folder.write('greeting', { name: 'Ada' }, 'data.json');
      expect(await run('plan')).toMatchObject({ code: 2, out: expect.stringContaining('+ greeting: new') });
      expect(await json('push')).toEqual({
        pushed: [{ key: 'greeting', done: ['create'], version_number: 1 }],
      });
      expect((await run('plan')).code).toBe(0);
      expect(await run('plan', '--activate')).toMatchObject({ code: 2 });
      expect((await run('push', '--activate', '--note', 'first')).code).toBe(0);
      const id = await idOf('greeting');
      const live = await api.ok(getTemplate, { params: { id } });
      expect(live.current_version).toMatchObject({ version_number: 1, sample_data: { name: 'Ada' } });
      await folder.write('greeting', {
        name: 'Greeting',
        description: 'Says hello.',
        blocks: [section('Good day, {{name}}')],
      });
      const plan = await json('plan', '--activate');
      expect(plan.templates).toMatchObject([
        {
          status: 'changed',
          actions: ['append', 'update', 'activate'],
          about: [{ name: 'description', to: 'Says hello.' }],
          text: { before: ['Hello Ada'], after: ['Good day, Ada'] },
          impact: { summary: { changed: 1, breaks: 0 } },
        },
      ]);
      const markdown = await run('plan', '--activate', '--markdown');
      expect(markdown.out).toContain('| `greeting` | changed | append, update, activate |');
      expect(markdown.out).toContain('- Hello Ada\n+ Good day, Ada');
      await run('push', '--activate');
      expect((await versionsOf('greeting')).map((it) => [it.version_number, it.is_current])).toEqual([
        [2, true],
        [1, false],
      ]);
      expect((await run('rollback', 'greeting')).code).toBe(0);
      expect((await api.ok(getTemplate, { params: { id } })).current_version?.version_number).toBe(1);
      const { user } = await api.ok(validateToken, {});
      const { out: history } = await run('history', 'greeting');
      expect(history).toMatch(/^1 \(live\) /m);
      expect(history).toContain(` ${user.first_name} ${user.last_name}`);
      expect((await json('history', 'greeting')).versions[0].created_by).toBe(user.id);
      // Whoever took a version back is not overruled.
      expect(await statuses('--activate')).toEqual({ greeting: 'both' });
      expect((await run('push', '--activate')).code).toBe(3);
      expect((await run('pull')).code).toBe(0);
      expect(await run('plan', '--activate')).toMatchObject({
        code: 0,
        out: expect.stringContaining('greeting: unchanged: its newest version was live and was taken back'),
      });
      expect((await run('push', '--activate')).code).toBe(0);
      expect((await api.ok(getTemplate, { params: { id } })).current_version?.version_number).toBe(1);
      expect((await run('push', '--activate', '--mine', 'greeting')).code).toBe(0);
      expect((await run('diff', 'greeting', '--against', '1')).out).toContain('+ /blocks/0/text/text');
    }),
  );

  it(
    'whose settings the API would refuse end the plan, before a push has begun',
    inFolder(async () => {
      await liveTemplate(api);
      await run('pull');
      const read = await folder.read('deploy-alert');
      await folder.write('deploy-alert', { ...Object(read), icon_emoji: 'rocket' });
      const plan = await run('plan');
      expect([plan.code, plan.out]).toEqual([
        1,
        expect.stringContaining('/icon_emoji: setting: must look like'),
      ]);
      await folder.write('deploy-alert', { ...Object(read), blocks: [] });
      expect((await run('plan')).out).toContain('/blocks: setting: must have a block');
      await folder.write('deploy-alert', { ...Object(read), icon_emoji: ':rocket:' });
      expect((await run('push')).code).toBe(0);
    }),
  );

  it(
    'that were changed on both sides are a conflict, until a person names a side',
    inFolder(async () => {
      const { id } = await liveTemplate(api);
      const { id: other } = await liveTemplate(api, deployBlocks, { name: 'Other' });
      await run('pull');
      const edited = { name: 'Deploy alert', blocks: [section('Mine of {{service}}')] };
      await folder.write('deploy-alert', edited);
      await api.ok(updateTemplate, { params: { id }, body: { description: 'Theirs' } });
      await api.ok(appendTemplateVersion, { params: { id: other }, body: { blocks: [section('There')] } });
      expect(await statuses()).toEqual({ 'deploy-alert': 'both', other: 'changed_there' });
      expect((await run('plan')).code).toBe(3);
      const refused = await run('push');
      expect([refused.code, refused.notes]).toEqual([3, expect.stringContaining('--mine <key>')]);
      expect((await run('pull')).code).toBe(3);
      expect(await folder.read('deploy-alert')).toEqual(edited);
      expect(await statuses('--mine', 'deploy-alert')).toMatchObject({ 'deploy-alert': 'changed' });
      expect((await run('push', '--mine', 'deploy-alert')).code).toBe(0);
      const mine = await api.ok(getTemplate, { params: { id } });
      expect([mine.description, (await versionsOf('deploy-alert')).length]).toEqual([null, 2]);
      expect((await run('plan')).code).toBe(0);
      await folder.write('other', { name: 'Other', blocks: [section('Here')] });
      await api.ok(appendTemplateVersion, { params: { id: other }, body: { blocks: [section('Again')] } });
      expect((await run('plan')).code).toBe(3);
      expect((await run('pull', '--theirs', 'other')).code).toBe(0);
      expect(await folder.read('other')).toMatchObject({ blocks: [section('Again')] });
      expect((await run('plan')).code).toBe(0);
    }),
  );

  it(
    'that are no JSON are written over by name alone, and are in the way of no other template',
    inFolder(async () => {
      await liveTemplate(api);
      await liveTemplate(api, deployBlocks, { name: 'Other' });
      const queue = { name: 'Q', mode: 'fixed_volume', threshold: 5, channel_id: 'C0DEPLOYS' } as const;
      await api.ok(createQueue, { body: { ...queue, key: 'q', template_key: 'other' } });
      await writeFile(join(folder.path, 'stanza.json'), JSON.stringify({ kinds: ['queues'] }));
      await run('pull');
      const files = ['templates/deploy-alert/template.json', 'queues/q.json'].map((it) =>
        join(folder.path, it),
      );
      for (const file of files) await writeFile(file, '<<<<<<< HEAD');
      expect(await run('pull')).toMatchObject({ code: 1, notes: expect.stringContaining('is not JSON') });
      expect((await run('validate', 'other')).code).toBe(0);
      const { code, out } = await run('pull', '--theirs', 'deploy-alert', 'queues/q');
      expect([code, out]).toEqual([0, 'deploy-alert: written\nqueues/q: written\n1 unchanged']);
      expect((await run('plan')).code).toBe(0);
    }),
  );

  it(
    'are refused where the plan is stale, and go on where a push of it was killed',
    inFolder(async () => {
      const { id } = await liveTemplate(api);
      await run('pull');
      await folder.write('deploy-alert', { name: 'Deploy alert', blocks: [section('{{service}} is out')] });
      await folder.write('second', { name: 'Second', blocks: [section('Second')] });
      expect((await run('plan', '--out', 'plan.json')).code).toBe(2);
      await run('push', 'second');
      await folder.write('third', { name: 'Third', blocks: [section('Third')] });
      await api.ok(appendTemplateVersion, { params: { id }, body: { blocks: [section('Theirs')] } });
      const stale = await run('push', '--plan', 'plan.json');
      expect([stale.code, stale.notes]).toEqual([
        3,
        expect.stringContaining('deploy-alert was changed there'),
      ]);
      expect(await versionsOf('deploy-alert')).toHaveLength(2);
      await run('plan', '--mine', 'deploy-alert', '--out', 'plan.json');
      await folder.write('fourth', { name: 'Fourth', blocks: [section('Fourth')] });
      // What the plan does not say would be left undone, unseen.
      expect(await run('push', '--plan', 'plan.json', '--activate')).toMatchObject({
        code: 1,
        notes: expect.stringContaining('The plan does not have --activate.'),
      });
      expect(await run('push', '--plan', 'plan.json', 'third')).toMatchObject({
        code: 1,
        notes: expect.stringContaining('The plan changes deploy-alert too.'),
      });
      expect((await run('push', '--plan', 'plan.json', '--mine', 'deploy-alert')).code).toBe(0);
      expect(await statuses()).toEqual({
        'deploy-alert': 'unchanged',
        second: 'unchanged',
        third: 'unchanged',
        fourth: 'new',
      });
    }),
  );

  it(
    'that are gone are archived when that is asked for',
    inFolder(async () => {
      const { id } = await liveTemplate(api);
      await run('pull');
      await folder.remove('deploy-alert');
      expect(await statuses()).toEqual({ 'deploy-alert': 'gone' });
      expect((await run('push')).code).toBe(0);
      expect(await run('plan', 'deploy-alrt')).toMatchObject({ code: 1 });
      expect((await api.ok(getTemplate, { params: { id } })).lifecycle).toBe('active');
      const asked = {
        code: 1,
        notes: expect.stringContaining('archives 1 template (deploy-alert), changes'),
      };
      expect(await folder.run(['push', '--archive'])).toMatchObject(asked);
      const [templates, away] = [join(folder.path, 'templates'), join(folder.path, 'away')];
      renameSync(templates, away);
      expect(await run('push', '--archive')).toMatchObject({
        code: 1,
        notes: expect.stringContaining(`There is no folder ${templates}.`),
      });
      renameSync(away, templates);
      expect((await api.ok(getTemplate, { params: { id } })).lifecycle).toBe('active');
      expect((await run('push', '--archive')).code).toBe(0);
      expect((await api.ok(getTemplate, { params: { id } })).lifecycle).toBe('archived');
      expect((await run('plan')).code).toBe(0);
    }),
  );

  it(
    'that are archived there come back where a person chooses the files, and the files go otherwise',
    inFolder(async () => {
      const { id } = await liveTemplate(api);
      await run('pull');
      await api.ok(archiveTemplate, { params: { id } });
      await folder.write('deploy-alert', { name: 'Deploy alert', blocks: [section('{{service}} is out')] });
      const refused = await run('push');
      expect([refused.code, refused.notes]).toEqual([3, expect.stringContaining('it is archived there')]);
      expect(await statuses('--mine', 'deploy-alert')).toEqual({ 'deploy-alert': 'changed' });
      const { code, out } = await run('push', '--activate', '--mine', 'deploy-alert');
      expect([code, out]).toEqual([0, expect.stringContaining('unarchive, append, activate')]);
      const { lifecycle, current_version_id } = await api.ok(getTemplate, { params: { id } });
      const [newest] = await versionsOf('deploy-alert');
      expect([lifecycle, current_version_id]).toEqual(['active', newest?.id]);
      expect((await run('plan')).code).toBe(0);
      await api.ok(archiveTemplate, { params: { id } });
      expect((await run('push', '--theirs', 'deploy-alert')).code).toBe(0);
      expect(await statuses()).toEqual({});
    }),
  );

  it(
    'with which stored data breaks stop a push, and the schedule is named',
    inFolder(async () => {
      const { id } = await liveTemplate(api, [section('Deploy of {{service}}')]);
      const schedule = await api.ok(createScheduledMessage, {
        body: {
          template_id: id,
          channel_id: 'C0SCHEDULED',
          cron: '0 9 * * 1-5',
          timezone: 'UTC',
          data: { service: 'api' },
        },
      });
      await run('pull');
      await folder.write('deploy-alert', { name: 'Deploy alert', blocks: [section('{{version}}')] });
      const plan = await run('plan', '--activate');
      expect([plan.code, plan.out]).toEqual([3, expect.stringContaining(schedule.id)]);
      const refused = await run('push', '--activate');
      expect([refused.code, refused.notes]).toEqual([3, expect.stringContaining(schedule.id)]);
      expect(await versionsOf('deploy-alert')).toHaveLength(1);
      expect((await run('push', '--activate', '--accept-breaks')).code).toBe(0);
    }),
  );

  it(
    'change production when a person or --yes says so',
    inFolder(async () => {
      await folder.write('greeting', { name: 'Greeting', blocks: [section('Hello')] });
      expect(await folder.run(['push'])).toMatchObject({ code: 1, notes: expect.stringContaining('--yes') });
      expect((await folder.run(['push'], { answer: 'n' })).code).toBe(1);
      expect((await folder.run(['plan'])).code).toBe(2);
      expect((await folder.run(['push'], { answer: 'y' })).code).toBe(0);
    }),
  );

  it(
    'that do not compile, or name what is not there, are told before anything is written',
    inFolder(async () => {
      await folder.write('sound', { name: 'Sound', blocks: [section('Hello')] });
      await folder.write('broken', { name: 'Broken', entity: 'ordr', blocks: [section('{{name | uper}}')] });
      await api.ok(createEntity, { body: { name: 'Order' } });
      const refused = await run('push');
      expect(refused).toMatchObject({ code: 1, notes: expect.stringContaining('did you mean order?') });
      expect(refused.notes).toContain('filter.unknown');
      expect((await api.ok(listTemplates, {})).data).toEqual([]);
      expect(await run('validate')).toMatchObject({
        code: 1,
        out: expect.stringContaining('1 with problems'),
      });
      const version = await folder.run(['diff', 'sond', '--json']);
      expect(JSON.parse(version.out).error.message).toContain('There is no template sond there');
    }),
  );

  it(
    'say which version is live elsewhere, once it is known',
    inFolder(async () => {
      const { id } = await liveTemplate(api);
      await run('pull');
      const { id: second } = await api.ok(appendTemplateVersion, {
        params: { id },
        body: { blocks: [section('Second {{service}}')] },
      });
      await api.ok(activateTemplateVersion, { params: { id, version_id: second } });
      await run('pull');
      expect((await run('plan', '--activate')).code).toBe(0);
    }),
  );

  it(
    'are one set of files for two environments, whatever versions these have',
    inFolder(async () => {
      const organization = await world().newOrganization({ tier: 'enterprise' });
      const use = (environment: 'preview' | 'production') => async () => {
        ({ key } = await organization.key({ environment }));
        api = world().api.with(key);
      };
      const [preview, production] = [use('preview'), use('production')];
      const file = async (name: string, content: object) => {
        await mkdir(join(folder.path, dirname(name)), { recursive: true });
        await writeFile(join(folder.path, name), JSON.stringify(content));
      };
      const text = async (name: string) => JSON.parse(await readFile(join(folder.path, name), 'utf8'));
      const partial = (name: string) => ({ type: 'directive', directive: '#use', partial: name });
      const call = { type: 'call_destination', destination_id: 'tickets' };
      const open = { type: 'open_modal', modal_id: 'refund' };
      const button = {
        ...plainSection('Refund'),
        type: 'button',
        action_id: 'refund',
        interaction: [open, call],
      };
      const fields = [
        { name: 'id', type: 'string' },
        { name: 'total', type: 'number' },
      ];
      const schedule = { template: 'order', channel_id: 'C0ORDERS', cron: '0 9 * * *', is_paused: true };
      await preview();
      await file('destinations/tickets.json', { name: 'Tickets', url: 'https://tickets.example.com/x' });
      await file('entities/order.json', { name: 'Order', fields });
      await file('modals/refund.json', { name: 'Refund', title: 'Refund', blocks: [plainSection('Sure?')] });
      // It is made after the one that it names, though its name comes before.
      await file('partials/buttons.json', {
        name: 'Buttons',
        blocks: [{ type: 'actions', elements: [button] }, partial('footer')],
      });
      await file('partials/footer.json', { name: 'Footer', blocks: [section('First')] });
      await file('queues/orders.json', {
        name: 'Orders',
        mode: 'fixed_volume',
        threshold: 3,
        template: 'order',
        channel_id: { env: 'ORDERS' },
        live: true,
      });
      await file('schedules/daily.json', schedule);
      await folder.write('order', {
        name: 'Order',
        entity: 'order',
        blocks: [section('New'), partial('buttons')],
      });
      const withChannel = (...words: string[]) =>
        folder.run([...words, '--yes'], {
          env: { STANZA_URL: api.base, STANZA_KEY: key, ORDERS: 'C0ORDERS' },
        });
      expect(await run('validate')).toMatchObject({ code: 0 });
      const notLive = { code: 1, notes: expect.stringContaining('partial buttons has no live version') };
      expect(await withChannel('push')).toMatchObject(notLive);
      const agree = async () => {
        expect(await withChannel('push', '--activate')).toMatchObject({ code: 0 });
        expect(await withChannel('pull')).toMatchObject({ code: 0, out: '8 unchanged' });
      };
      await agree();
      await file('partials/footer.json', { name: 'Footer', blocks: [section('Second')] });
      await agree();
      // What the API made of the partials comes into the files, with the numbers of its versions.
      await folder.write('order', { name: 'Order', entity: 'order', blocks: [partial('footer')] });
      await agree();
      expect(await withChannel('push', '--theirs', 'order')).toMatchObject({ code: 0 });
      const { data: paused } = await api.ok(listScheduledMessages, { query: { status: 'paused' } });
      expect(paused).toHaveLength(1);

      await production();
      await agree();
      await agree();
      expect(await versionsOf('order')).toHaveLength(1);
      const live = await api.ok(compileTemplate, { body: { template_key: 'order', data: {} } });
      expect(JSON.stringify(live.blocks)).toContain('Second');

      // A file of a schedule may have another name, and a change keeps the schedule.
      const ids = async () => (await api.ok(listScheduledMessages, {})).data.map((it) => [it.id, it.status]);
      const [[id] = []] = await ids();
      await rm(join(folder.path, 'schedules/daily.json'));
      await file('schedules/morning.json', schedule);
      await agree();
      await file('schedules/morning.json', { ...schedule, cron: '0 8 * * *', is_paused: false });
      await agree();
      expect(await ids()).toEqual([[id, 'active']]);
      expect((await api.ok(listQueues, {})).data).toMatchObject([{ live: true, live_interval_seconds: 15 }]);

      // A field that a file lacks is deleted when that is asked for, and counted first.
      await file('entities/order.json', { name: 'Order', fields: fields.slice(0, 1) });
      const names = async () => {
        const { data } = await api.ok(listEntities, {});
        const { fields: found } = await api.ok(getEntity, { params: { id: data[0]?.id ?? '' } });
        return found.map(({ name }) => name);
      };
      expect(await withChannel('push')).toMatchObject({ code: 0, out: 'nothing to push' });
      expect(await withChannel('plan', '--strict')).toMatchObject({ code: 4 });
      expect(await names()).toEqual(['id', 'total']);
      expect(await withChannel('push', '--delete')).toMatchObject({
        code: 0,
        notes: expect.stringContaining('deletes 1 field (entities/order: total)'),
      });
      expect(await names()).toEqual(['id']);
      expect(await text('entities/order.json')).toEqual({ name: 'Order', fields: fields.slice(0, 1) });
    }),
  );

  it(
    'are exported with everything else, and make the same messages in another organization',
    inFolder(async () => {
      const shown = messages.filter(({ slug }) => ['deploy-alert', 'incident', 'invoice'].includes(slug));
      const compiled = async (from: Api) =>
        Promise.all(
          shown.map(async ({ slug, data }) => {
            const answer = await from.ok(compileTemplate, { body: { template_key: slug, data } });
            // Ids that the API fills in are new each time a version is saved.
            return JSON.stringify([answer.blocks, answer.text]).replace(/blk_[0-9a-f-]{36}/g, 'blk_');
          }),
        );
      for (const { slug, source, data } of shown)
        await liveTemplate(api, [...source.blocks], { ...source, key: slug, sample_data: data });
      await api.ok(createDestination, {
        body: {
          name: 'Tickets',
          url: 'https://tickets.example.com/x',
          headers: { Authorization: 'Bearer s' },
        },
      });
      await api.ok(createEntity, { body: { name: 'Order' } });
      const named = { template_key: 'deploy-alert', destination_key: 'tickets' } as const;
      await api.ok(createQueue, { body: { name: 'Hook', mode: 'fixed_volume', threshold: 1, ...named } });
      await api.ok(createModal, {
        body: { name: 'Refund', title: 'Refund', activate: true, blocks: [plainSection('Sure?')] },
      });
      await api.ok(createScheduledMessage, {
        body: { template_key: 'deploy-alert', channel_id: 'C0DEPLOYS', cron: '0 9 * * 1-5' },
      });
      const before = await compiled(api);
      await api.ok(createModal, { body: { name: 'Not yet', title: 'Not yet', blocks: [plainSection('?')] } });
      expect(await run('export', 'moved')).toMatchObject({
        code: 0,
        notes: expect.stringMatching(
          /^not live here, and made live by an import: modals\/not-yet version 1$/m,
        ),
      });
      const files = await folder.files();
      expect(Object.keys(files)).toEqual(
        expect.arrayContaining(
          [
            'destinations/tickets',
            'entities/order',
            'modals/refund',
            'queues/hook',
            'schedules/deploy-alert',
          ].map((it) => `moved/${it}.json`),
        ),
      );
      expect(JSON.parse(files['moved/queues/hook.json'] ?? '')).toEqual({
        name: 'Hook',
        mode: 'fixed_volume',
        threshold: 1,
        template: 'deploy-alert',
        destination: 'tickets',
      });
      expect(JSON.parse(files['moved/destinations/tickets.json'] ?? '')).toMatchObject({
        headers: { Authorization: { env: 'TICKETS_AUTHORIZATION' } },
      });

      ({ key } = await (await world().newOrganization()).key());
      api = world().api.with(key);
      const env = { STANZA_URL: api.base, STANZA_KEY: key };
      expect(await folder.run(['import', 'moved', '--yes'])).toMatchObject({
        code: 1,
        notes: expect.stringContaining('destinations/tickets needs TICKETS_AUTHORIZATION'),
      });
      const secret = { env: { ...env, TICKETS_AUTHORIZATION: 'Bearer other' } };
      expect(await folder.run(['import', 'moved', '--yes'], secret)).toMatchObject({ code: 0 });
      expect(await compiled(api)).toEqual(before);
      const { data: made } = await api.ok(listQueues, {});
      const hook = made.find((it) => it.key === 'hook');
      const pushed = await api.ok(pushEvents, {
        params: { id: hook?.id ?? '' },
        body: { events: [{ service: 'api' }] },
      });
      expect(pushed.event_count).toBe(1);
      expect(hook?.template_id).toBe(await idOf('deploy-alert'));
      expect(await folder.run(['import', 'moved', '--yes'], secret)).toMatchObject({
        code: 0,
        out: 'nothing to push',
      });
      const plan = ['--dir', 'moved', 'plan', '--activate', '--strict'];
      expect(await folder.run(plan, secret)).toMatchObject({ code: 0 });

      // What has no file any more goes when that is asked for, and is counted first.
      await rm(join(folder.path, 'moved/schedules/deploy-alert.json'));
      await rm(join(folder.path, 'moved/modals/refund.json'));
      expect(await run('--dir', 'moved', 'push')).toMatchObject({ code: 0, out: 'nothing to push' });
      expect(await folder.run(['--dir', 'moved', 'push', '--delete'])).toMatchObject({
        code: 1,
        notes: expect.stringContaining(
          'deletes 1 resource (modals/refund) and cancels 1 resource (schedules/deploy-alert)',
        ),
      });
      expect((await run('--dir', 'moved', 'push', '--delete')).code).toBe(0);
      expect((await api.ok(listModals, {})).data.map((it) => it.key)).toEqual(['not-yet']);
    }),
  );
});
