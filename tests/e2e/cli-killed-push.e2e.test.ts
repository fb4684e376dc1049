import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { getTemplate, listTemplates, listTemplateVersions } from '@stanza/contracts';
import type { Api } from '../kit/api.ts';
import { wantsAll } from '../kit/cases.ts';
import { sharedByTests } from '../kit/shared.ts';
import { openWorld } from '../kit/stack.ts';
import { TapProxy } from '../kit/tap-proxy.ts';
import { TemplateFolder } from '../kit/template-folder.ts';
import { liveTemplate } from '../kit/templates.ts';

const main = join(import.meta.dirname, '../../shared/cli/src/main.ts');
const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });

/** More requests than a push of the test makes, so that its end is always reached. */
const most = 40;
/** It dies after each of its requests, in a usual run after each third. */
const step = wantsAll ? 1 : 3;

describe('a push that is killed', () => {
  const world = sharedByTests(openWorld);

  /** A template to be created, one to be changed in all its parts, and one that stays, as files of a new organization. */
  const prepare = async () => {
    const { key } = await (await world().newOrganization()).key();
    const api = world().api.with(key);
    const folder = await TemplateFolder.make(() => ({ STANZA_URL: api.base, STANZA_KEY: key }));
    // Templates alone: the reads of other kinds are no steps of the push.
    await writeFile(join(folder.path, 'stanza.json'), '{}');
    await liveTemplate(api);
    await liveTemplate(api, [section('Stays')], { name: 'Stays' });
    await folder.run(['pull']);
    await folder.write('deploy-alert', {
      name: 'Deploy alert',
      description: 'What went live.',
      blocks: [section('{{service}} {{version}} is out')],
    });
    await folder.write('greeting', { name: 'Greeting', blocks: [section('Hello {{name}}')] });
    return { api, key, folder };
  };

  /** Everything that a push makes, without what differs from run to run. */
  const stateOf = async (api: Api) => {
    const { data } = await api.ok(listTemplates, { query: { sort: 'name' } });
    return Promise.all(
      data.map(async ({ id }) => {
        const params = { params: { id } };
        const { key, description, current_version: live } = await api.ok(getTemplate, params);
        const versions = (await api.ok(listTemplateVersions, params)).data;
        return {
          key,
          description,
          live: live?.version_number,
          versions: versions.map((it) => it.version_number),
        };
      }),
    );
  };

  const expected = [
    { key: 'deploy-alert', description: 'What went live.', live: 2, versions: [2, 1] },
    { key: 'greeting', description: null, live: 1, versions: [1] },
    { key: 'stays', description: null, live: 1, versions: [1] },
  ];

  /** Pushes in a process that is killed once its request of this number was answered. @returns whether it was killed */
  const pushUntil = async (number: number, { api, key, folder }: Awaited<ReturnType<typeof prepare>>) => {
    let child: ChildProcess | undefined;
    await using proxy = await TapProxy.start(api.base, (request) => {
      if (request.number === number) child?.kill('SIGKILL');
    });
    child = spawn(
      process.execPath,
      ['--conditions=@stanza/source', main, 'push', '--activate', '--yes', '--plan', 'plan.json'],
      {
        cwd: folder.path,
        env: { PATH: process.env.PATH, STANZA_URL: proxy.url, STANZA_KEY: key },
        stdio: 'ignore',
      },
    );
    const [code, signal] = await once(child, 'exit');
    if (signal === null) expect(code).toBe(0);
    return signal === 'SIGKILL';
  };

  it('by an interrupt says how far it came, and goes on when it is run again', async () => {
    const { api, folder, key } = await prepare();
    await using _ = folder;
    const ending = new AbortController();
    let afterwards = 0;
    await using proxy = await TapProxy.start(api.base, ({ method, path }) => {
      if (ending.signal.aborted) afterwards += 1;
      if (method === 'PUT' || (method === 'POST' && path.endsWith('/versions'))) ending.abort();
    });
    const env = { STANZA_URL: proxy.url, STANZA_KEY: key };
    const words = ['push', '--activate', '--yes'];
    const { code, notes } = await folder.run(words, { env, signal: ending.signal });
    expect([code, afterwards]).toEqual([130, 0]);
    expect(notes).toMatch(
      /added version 2 of deploy-alert\nthe push ended at deploy-alert: .*\nInterrupted\.$/,
    );
    expect((await folder.run(words)).code).toBe(0);
    expect(await stateOf(api)).toEqual(expected);
  });

  it('after each of its requests and run again ends the same, with no version twice', async () => {
    let killed = 0;
    for (let number = 1; number < most; number += step) {
      const prepared = await prepare();
      await using folder = prepared.folder;
      expect((await folder.run(['plan', '--activate', '--out', 'plan.json'])).code).toBe(2);
      const wasKilled = await pushUntil(number, prepared);
      const again = await folder.run(['push', '--activate', '--yes', '--plan', 'plan.json']);
      expect([number, again]).toMatchObject([number, { code: 0 }]);
      expect([number, await stateOf(prepared.api)]).toEqual([number, expected]);
      expect((await folder.run(['plan', '--activate'])).code).toBe(0);
      if (!wasKilled) break;
      killed += step;
    }
    // The reads come first: a push of two templates writes five times.
    expect(killed).toBeGreaterThan(12);
    expect(killed).toBeLessThan(most - 1);
  });
});
