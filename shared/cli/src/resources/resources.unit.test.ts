import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../files/canonical.ts';
import type { LockEntry } from '../files/lock-file.ts';
import { pushingOf } from '../plan/judge.ts';
import { planResources } from '../plan/plan-resources.ts';
import { Names } from '../templates/names.ts';
import { destinations } from './destinations.ts';
import { entities } from './entities.ts';
import { type Access, type Kind, type LocalResource, localOf, type RemoteResource } from './kind.ts';
import { queues } from './queues.ts';
import { writeResource } from './resource-files.ts';
import { Variables } from './variables.ts';

const variables = new Variables({ URL_OF_TICKETS: 'https://tickets.example.com/x', TOKEN: 'Bearer s' });
const nothing = {
  activates: false,
  archives: false,
  deletes: false,
  resends: false,
  asksImpact: false,
  mine: [],
  theirs: [],
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
  const [planned] = planResources(access, new Map(remote ? [[ref, remote]] : []), { ...nothing, ...options });
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
