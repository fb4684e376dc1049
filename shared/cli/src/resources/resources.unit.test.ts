import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  createDestination,
  createEntity,
  createModal,
  createPartial,
  createQueue,
  createScheduledMessage,
} from '@stanza/contracts';
import type { ScheduledMessageDetails } from '@stanza/sdk';
import type { JsonObject } from '../files/canonical.ts';
import type { LockEntry } from '../files/lock-file.ts';
import { pushingOf } from '../plan/judge.ts';
import { planResources } from '../plan/plan-resources.ts';
import { Names } from '../templates/names.ts';
import { destinations } from './destinations.ts';
import { entities } from './entities.ts';
import { type Access, type Kind, type LocalResource, localOf, type RemoteResource } from './kind.ts';
import { allKinds } from './kinds.ts';
import { modals } from './modals.ts';
import { partials } from './partials.ts';
import { queues } from './queues.ts';
import { writeResource } from './resource-files.ts';
import { schedules } from './schedules.ts';
import { Variables } from './variables.ts';

const variables = new Variables({ URL_OF_TICKETS: 'https://tickets.example.com/x', TOKEN: 'Bearer s' });
const nothing = {
  activates: false,
  archives: false,
  deletes: false,
  resends: false,
  needsImpact: false,
  mine: [] as string[],
  theirs: [] as string[],
};

const names = () => {
  const made = new Names({ template: [{ id: 't1', key: 'deploy-alert' }] });
  made.expect('destination', 'tickets');
  return made;
};

/** A resource of the API that says the same as a file. */
const there = (local: LocalResource, document: JsonObject = local.document): RemoteResource => {
  const { kind, ref, key } = local;
  const { fingerprint } = localOf(kind, key, document, variables);
  const found = {
    id: 'i',
    ...fingerprint,
    version_id: 'i',
    version_number: 1,
    live_version_id: null,
    is_archived: false,
    is_taken_back: false,
  };
  return { kind, ref, key, document: kind.normal(document), found };
};

/** A client that nothing may ask: a plan is made of what was read. */
const client: Access['stanza'] = Object.create(null);

const planOf = (
  local: LocalResource | undefined,
  remote: RemoteResource | undefined,
  base?: LockEntry,
  options: Partial<typeof nothing> = {},
) => {
  const ref = local?.ref ?? remote?.ref ?? '';
  const access: Access = {
    stanza: client,
    names: names(),
    lock: new Map(base ? [[ref, base]] : []),
    locals: new Map(local ? [[ref, local]] : []),
  };
  const remotes = new Map(remote ? [[ref, remote]] : []);
  const [planned] = planResources(access, remotes, { ...nothing, ...options }, new Date(0));
  return planned;
};

const local = (kind: Kind, file: JsonObject, key = 'tickets') => localOf(kind, key, file, variables);
const baseOf = ({ fingerprint }: LocalResource): LockEntry => ({
  ...fingerprint,
  version_id: 'i',
  live_version_id: null,
});

const queue = { name: 'Hook', mode: 'fixed_volume', threshold: 1, destination: 'tickets' };
const destination = {
  name: 'Tickets',
  url: { env: 'URL_OF_TICKETS' },
  headers: { Authorization: { env: 'TOKEN' } },
};

const daily = { template: 'digest', channel_id: 'C1', cron: '0 9 * * *' };

describe('the file of a resource', () => {
  it('says nothing where it says what the API takes anyway', () => {
    const said = local(queues, { ...queue, is_active: true, on_unknown: 'hold', max_wait_seconds: 86_400 });
    expect([said.document, said.fingerprint]).toEqual([queue, local(queues, queue).fingerprint]);
    const window = { name: 'A', mode: 'rolling_window', window_seconds: 60, destination: 'tickets' };
    const longest = local(queues, { ...window, max_window_seconds: 600 });
    expect(longest.fingerprint).toEqual(local(queues, window).fingerprint);
  });

  it.each<[string, Kind, JsonObject]>([
    ['did you mean threshold?', queues, { ...queue, treshold: 1 }],
    ['/mode is to be one of rolling_window, fixed_volume', queues, { ...queue, mode: 'weekly' }],
    ['give exactly one of', queues, { ...queue, channel_id: 'C1' }],
    ['/window_seconds is missing', queues, { ...queue, mode: 'rolling_window', threshold: null }],
    ['/window_seconds belongs to the mode rolling_window', queues, { ...queue, window_seconds: 60 }],
    ['/url is to be an address', destinations, { ...destination, url: 'ftp://example.com' }],
    [
      '/headers/Api Key is no name of a header',
      destinations,
      { ...destination, headers: { 'Api Key': { env: 'TOKEN' } } },
    ],
    ['/cron is to be five fields', schedules, { ...daily, cron: '0 9 * *' }],
    ['/cron is to be five fields', schedules, { ...daily, cron: '61 9 * * *' }],
    ['/cron is to be five fields', schedules, { ...daily, cron: '0 9 * 0 *' }],
    ['/timezone is to be an IANA time zone', schedules, { ...daily, timezone: 'Mars/Phobos' }],
    ['/locale is to be a BCP 47 locale', schedules, { ...daily, locale: 'xx' }],
    ['/template is missing', queues, { name: 'A', mode: 'fixed_volume', channel_id: 'C1' }],
    [
      '/headers/Authorization is to name a variable',
      destinations,
      { ...destination, headers: { Authorization: 'Bearer s' } },
    ],
    [
      '/fields/0/fields/0/type is missing',
      entities,
      { name: 'A', fields: [{ name: 'b', type: 'object', fields: [{ name: 'c' }] }] },
    ],
  ])('is refused: %s', (problem, kind, file) => {
    expect(local(kind, file).problem).toContain(problem);
  });

  /** What a request takes besides the parts of a file. */
  const otherWords: Record<string, readonly string[]> = {
    entities: ['key'],
    destinations: ['key'],
    modals: ['key', 'sample_data', 'activate', 'steps'],
    partials: ['key', 'sample_data', 'note'],
    queues: ['key', 'template_id', 'template_key', 'destination_id', 'destination_key'],
    // Those in a thread belong to a message of one environment.
    schedules: ['template_id', 'template_key', 'thread_ts', 'reply_to'],
  };
  const requests = {
    entities: createEntity,
    destinations: createDestination,
    modals: createModal,
    partials: createPartial,
    queues: createQueue,
    schedules: createScheduledMessage,
  };

  it.each(allKinds)('holds everything that the API takes: $folder', (kind) => {
    const taken = Object.keys(requests[kind.folder].body?.shape ?? {});
    const others = otherWords[kind.folder] ?? [];
    const held = (name: string) => name in kind.normal({ [name]: 'x' });
    expect(taken.filter((name) => !others.includes(name) && !held(name))).toEqual([]);
  });

  const window = { name: 'Hook', mode: 'rolling_window', window_seconds: 60, destination: 'tickets' };
  const bounded: readonly [Kind, JsonObject, string, number, number][] = [
    [queues, { ...window, max_window_seconds: 86_400 }, 'window_seconds', 5, 86_400],
    [queues, { ...window, window_seconds: 5 }, 'max_window_seconds', 5, 86_400],
    [queues, queue, 'threshold', 1, 1_000],
    [queues, queue, 'max_wait_seconds', 5, 86_400],
    [destinations, destination, 'max_retries', 0, 10],
    [destinations, destination, 'retry_initial_delay_ms', 100, 2_147_483_647],
    [destinations, destination, 'retry_max_delay_ms', 1_000, 2_147_483_647],
    [destinations, destination, 'timeout_ms', 1_000, 60_000],
  ];

  it.each(bounded)('has a number in bounds, as the API wants it: %#', (kind, file, name, min, max) => {
    const isTaken = (value: number) => {
      const { destination: _, url, headers: __, ...body } = { ...file, [name]: value };
      const to = kind === queues ? { destination_key: 'tickets' } : { url: url && 'https://example.com' };
      return requests[kind.folder].body?.safeParse({ ...body, ...to }).success;
    };
    const numbers = [min - 1, min, max, max + 1];
    expect(numbers.map(isTaken)).toEqual([false, true, true, false]);
    const said = (value: number) => local(kind, { ...file, [name]: value }).problem === undefined;
    expect(numbers.map(said)).toEqual([false, true, true, false]);
  });

  it('has data that looks like the name of a variable', () => {
    const data = { env: 'production' };
    const file = { name: 'A', title: 'A', blocks: [], data };
    expect(local(modals, file)).toMatchObject({ document: { data }, unset: [], problem: undefined });
  });

  it('names another partial, a modal or a destination by its key', () => {
    const call = { type: 'call_destination', destination_id: 'tickets' };
    const button = { type: 'button', text: { type: 'plain_text', text: 'x' }, interaction: [call] };
    const use = { type: 'directive', directive: '#use', partial: 'footer' };
    const file = { name: 'A', blocks: [{ type: 'actions', elements: [button] }, use] };
    expect(partials.referencesOf(local(partials, file).document)).toEqual([
      { kind: 'destination', name: 'tickets' },
      { kind: 'partial', name: 'footer' },
    ]);
  });

  it('is the same entity in another order of its fields', () => {
    const [a, b] = [
      { name: 'a', type: 'string', required: false },
      { name: 'b', type: 'number' },
    ];
    const one = local(entities, { name: 'Order', fields: [a, b] });
    expect(local(entities, { name: 'Order', fields: [b, a] }).fingerprint).toEqual(one.fingerprint);
  });

  it('keeps its variables, and gets some for secrets', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stanza-resources-'));
    try {
      const mine = local(destinations, destination);
      const remote = there(mine, {
        ...mine.document,
        timeout_ms: 5_000,
        headers: { authorization: '*', 'x-api-key': '*' },
      });
      const project = { folder, templates: folder, kinds: ['destinations'] as const, now: new Date(0) };
      await writeResource(project, remote, mine, variables);
      expect(JSON.parse(await readFile(join(folder, 'destinations/tickets.json'), 'utf8'))).toEqual({
        name: 'Tickets',
        url: { env: 'URL_OF_TICKETS' },
        headers: { authorization: { env: 'TOKEN' }, 'x-api-key': { env: 'TICKETS_X_API_KEY' } },
        timeout_ms: 5_000,
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('data in a file', () => {
  it('is data, also where it looks like the name of a variable', () => {
    const data = { env: 'TOKEN' };
    const written = { template: 'deploys', channel_id: 'C0DEPLOYS', cron: '@daily', data };
    expect(local(schedules, written)).toMatchObject({ document: { data }, unset: [], problem: undefined });
  });
});

describe('the plan of a resource', () => {
  const mine = local(queues, queue, 'hook');
  const changed = local(queues, { ...queue, threshold: 2 }, 'hook');

  it.each<[string, LocalResource | undefined, RemoteResource | undefined, LockEntry | undefined, string[]]>([
    ['new', mine, undefined, undefined, ['create']],
    ['unchanged', mine, there(mine), undefined, []],
    ['changed', changed, there(mine), baseOf(mine), ['update']],
    ['changed_there', mine, there(changed), baseOf(mine), []],
    ['both', mine, there(changed), undefined, []],
    ['gone', undefined, there(mine), baseOf(mine), []],
  ])('is %s', (status, here, remote, base, actions) => {
    expect(planOf(here, remote, base)).toMatchObject({ key: 'queues/hook', status, actions, problems: [] });
  });

  it('deletes only when that is asked for', () => {
    expect(planOf(undefined, there(mine), baseOf(mine), { archives: true })?.actions).toEqual([]);
    expect(planOf(undefined, there(mine), baseOf(mine), { deletes: true })?.actions).toEqual(['delete']);
  });

  it('takes what is archived there back into service where its file is chosen', () => {
    const partial = local(partials, { name: 'Footer', blocks: [{ type: 'divider' }] });
    const live = there(partial);
    const archived = { ...live, found: { ...live.found, is_archived: true } };
    const { ref: key } = partial;
    expect(planOf(partial, archived)).toMatchObject({ status: 'both', actions: [] });
    const chosen = { status: 'changed', actions: ['unarchive'] };
    expect(planOf(partial, archived, undefined, { mine: [key] })).toMatchObject(chosen);
    const left = { status: 'changed_there', actions: [] };
    expect(planOf(partial, archived, undefined, { theirs: [key] })).toMatchObject(left);
  });

  it('leaves what was taken back as it is, until its file is chosen or says something new', () => {
    const partial = local(partials, { name: 'Footer', blocks: [{ type: 'divider' }] });
    const newest = there(partial);
    const remote = { ...newest, found: { ...newest.found, live_version_id: 'o', is_taken_back: true } };
    const base = { ...baseOf(partial), live_version_id: 'o' };
    const activates = true;
    const left = planOf(partial, remote, base, { activates });
    expect(left).toMatchObject({
      status: 'unchanged',
      actions: [],
      why: expect.stringContaining('taken back'),
    });
    const { ref } = partial;
    expect(planOf(partial, remote, base, { activates, mine: [ref] })?.actions).toEqual(['activate']);
    const next = local(partials, { name: 'Footer', blocks: [{ type: 'header' }] });
    expect(planOf(next, remote, base, { activates })?.actions).toEqual(['append', 'activate']);
  });

  const entity = (...names: string[]) =>
    local(entities, {
      name: 'Order',
      fields: [
        ...names.map((name) => ({ name, type: 'string' })),
        { name: 'buyer', type: 'object', fields: [{ name: 'mail', type: 'string' }] },
      ],
    });

  it('leaves a field that the file lacks, and says so, until its deletion is asked for', () => {
    const [before, after] = [entity('id', 'total'), entity('id')];
    const kept = planOf(after, there(before), baseOf(before));
    expect(kept).toMatchObject({ status: 'changed', actions: [], lacking: ['total'] });
    const asked = planOf(after, there(before), baseOf(before), { deletes: true });
    expect(asked).toMatchObject({ actions: ['update'], lacking: ['total'] });
    const more = planOf(entity('id', 'note'), there(before), baseOf(before));
    expect(more).toMatchObject({ actions: ['update'], lacking: ['total'] });
    expect(more?.makes).toEqual(entity('id', 'note', 'total').fingerprint);
  });

  it('leaves a field as it is whose other type would delete those inside it', () => {
    const before = entity('id');
    const after = local(entities, {
      name: 'Order',
      fields: [
        { name: 'id', type: 'string' },
        { name: 'buyer', type: 'string' },
      ],
    });
    const planned = planOf(after, there(before), baseOf(before));
    expect(planned).toMatchObject({ actions: [], lacking: ['buyer.mail'] });
  });

  it('makes nothing of a time that has passed', () => {
    const file = { template: 'deploy-alert', channel_id: 'C1', send_at: '1969-12-24T08:00:00Z' };
    expect(planOf(local(schedules, file), undefined)?.problems).toEqual([
      expect.stringContaining('/send_at has passed'),
    ]);
  });

  it('needs the live version of a partial', () => {
    const use = { type: 'directive', directive: '#use', partial: 'deploy-alert' };
    const own = local(partials, { name: 'A', blocks: [use] });
    const access: Access = {
      stanza: client,
      names: new Names({ partial: [{ id: 'p', key: 'deploy-alert' }] }),
      lock: new Map(),
      locals: new Map([[own.ref, own]]),
      livePartials: new Set(),
    };
    const [planned] = planResources(access, new Map(), nothing, new Date(0));
    expect(planned?.problems).toEqual([expect.stringContaining('say --activate')]);
  });

  it('names what is not there, and knows what the push will make', () => {
    const other = local(queues, { ...queue, template: 'deploy-alrt' }, 'hook');
    expect(planOf(other, undefined)?.problems).toEqual([
      expect.stringContaining('did you mean deploy-alert?'),
    ]);
  });

  it('goes on where a push was killed in the midst of it', () => {
    const base = { ...baseOf(mine), pushing: pushingOf(changed.fingerprint) };
    const half = there(local(queues, { ...queue, threshold: 3 }, 'hook'));
    expect(planOf(changed, half, base)).toMatchObject({
      status: 'changed',
      actions: ['update'],
      resumes: true,
    });
    expect(planOf(mine, half, base)).toMatchObject({ status: 'changed_there' });
  });

  it('shows no secret, and says what it cannot see', () => {
    const own = local(destinations, destination);
    const planned = planOf(own, undefined);
    expect(JSON.stringify(planned)).not.toMatch(/Bearer s|tickets\.example/);
    expect(planned).toMatchObject({
      actions: ['create'],
      unset: [],
      unseen: expect.stringContaining('headers'),
    });
    const masked = there(own, { ...own.document, headers: { authorization: '********' } });
    expect(planOf(own, masked)).toMatchObject({ status: 'unchanged', actions: [] });
    expect(planOf(own, masked, undefined, { resends: true })?.actions).toEqual(['update']);
    const renamed = local(destinations, { ...destination, headers: { Authorization: { env: 'OTHER' } } });
    expect(planOf(renamed, masked, baseOf(own))).toMatchObject({ actions: ['update'], unset: ['OTHER'] });
  });
});

describe('the file of a schedule, which has no key in the API', () => {
  const file = { template: 'deploy-alert', channel_id: 'C1', cron: '0 9 * * *' };
  const details = (id: string, more: Partial<ScheduledMessageDetails> = {}) => ({
    id,
    status: 'active',
    thread_ts: null,
    template_id: 't1',
    ...file,
    ...more,
  });

  /** The keys that schedules of the API get, by their ids. */
  const keysOf = async (
    there: readonly ReturnType<typeof details>[],
    files: Record<string, JsonObject>,
    lock: Record<string, string>,
  ) => {
    const list = async function* ({ status }: { status: string }) {
      for (const one of there) if (one.status === status) yield one;
    };
    const get = async (id: string) => there.find((one) => one.id === id);
    const stanza: Access['stanza'] = Object.assign(Object.create(null), { scheduledMessages: { list, get } });
    const own = Object.entries(files).map(([key, one]) => local(schedules, one, key));
    const entries = Object.entries(lock).map(([key, id]): [string, LockEntry] => [
      `schedules/${key}`,
      { about: 'a', content: 'c', version_id: id, live_version_id: null },
    ]);
    const access: Access = {
      stanza,
      names: names(),
      lock: new Map(entries),
      locals: new Map(own.map((one) => [one.ref, one])),
    };
    const found = await schedules.list(access);
    return Object.fromEntries(found.map(({ key, found: { id } }) => [id, key]));
  };

  const other = { ...file, cron: '0 10 * * *' };

  it.each<[string, Parameters<typeof keysOf>, Record<string, string>]>([
    ['stays with it when both differ', [[details('i')], { daily: other }, { daily: 'i' }], { i: 'daily' }],
    [
      'stays with it when it is renamed',
      [[details('i')], { morning: file }, { daily: 'i' }],
      { i: 'morning' },
    ],
    ['is found by what it says', [[details('i')], { daily: file }, {}], { i: 'daily' }],
    ['is paused too', [[details('i', { status: 'paused' })], {}, {}], { i: 'deploy-alert' }],
    [
      'is one for each of those that say the same',
      [[details('i'), details('j')], { a: file }, {}],
      { i: 'a', j: 'deploy-alert' },
    ],
    [
      'is not taken by another one that says the same',
      [[details('i', { cron: '0 8 * * *' }), details('j')], { a: file }, { a: 'i' }],
      { i: 'a', j: 'deploy-alert' },
    ],
  ])('%s', async (_, given, keys) => {
    expect(await keysOf(...given)).toEqual(keys);
  });
});
