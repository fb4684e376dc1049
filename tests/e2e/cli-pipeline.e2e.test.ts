import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createScheduledMessage, getTemplate } from '@stanza/contracts';
import { parse } from 'yaml';
import { z } from 'zod';
import { blocksOf, pageText } from '../docs/markdown.ts';
import type { Api } from '../kit/api.ts';
import { openWorld, type World } from '../kit/stack.ts';
import { liveTemplate } from '../kit/templates.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });

const workflow = z.object({
  jobs: z.record(z.string(), z.object({ steps: z.array(z.object({ run: z.string().optional() })) })),
});

/** The commands of a job on the page; the installation is that of the test. */
const stepsOf = (job: string): string[] => {
  const [block] = blocksOf(pageText('docs/cli.md')).filter(({ language }) => language === 'yaml');
  const { jobs } = workflow.parse(parse(block?.text ?? ''));
  return (jobs[job]?.steps ?? []).flatMap(({ run: command }) =>
    command === undefined || command.startsWith('npm install') ? [] : [command],
  );
};

describe('the pipeline of the page', () => {
  let world: World;
  let api: Api;
  let folder: string;
  let keys: { reading: string; writing: string };
  let templateId: string;

  beforeAll(async () => {
    world = await openWorld();
    const organization = await world.newOrganization();
    const scopes = [
      'templates:read',
      'messages:preview',
      'entities:read',
      'modals:read',
      'destinations:read',
    ] as const;
    const { key: reading } = await organization.key({ scopes: [...scopes] });
    const { key: writing } = await organization.key();
    keys = { reading, writing };
    api = world.api.with(writing);
    ({ id: templateId } = await liveTemplate(api, [section('Deploy of {{service}}')]));
    folder = await mkdtemp(join(tmpdir(), 'stanza-pipeline-'));
    await mkdir(join(folder, 'bin'));
    await run(process.execPath, [join(root, 'shared/cli/build/bundle.ts')]);
    const programs = {
      stanza: `exec ${process.execPath} ${join(root, 'shared/cli/dist/stanza.js')} "$@"`,
      gh: 'while [ $# -gt 0 ]; do [ "$1" = --body-file ] && cp "$2" ../comment.md; shift; done',
    };
    for (const [name, text] of Object.entries(programs)) {
      await writeFile(join(folder, 'bin', name), `#!/bin/sh\n${text}\n`);
      await chmod(join(folder, 'bin', name), 0o755);
    }
    await run('git', ['init', '-q', '--bare', '--initial-branch=main', 'origin.git'], { cwd: folder });
    await run('git', ['clone', '-q', 'origin.git', 'work'], { cwd: folder });
    await shell('git checkout -q -B main && stanza init && stanza pull', keys.writing);
    await commit('Begin');
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await world.close();
  });

  const work = () => join(folder, 'work');

  /** Runs a script as a step of the workflow runs. */
  const shell = async (script: string, key: string): Promise<{ code: number; notes: string }> => {
    const env = {
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      HOME: folder,
      STANZA_URL: api.base,
      STANZA_KEY: key,
      PULL_REQUEST: 'https://git.example.com/pulls/1',
      GITHUB_SHA: 'abc1234',
    };
    try {
      const { stderr } = await run('bash', ['-eo', 'pipefail', '-c', script], { cwd: work(), env });
      return { code: 0, notes: stderr };
    } catch (error) {
      const { code, stderr } = Object(error);
      return { code, notes: String(stderr) };
    }
  };

  const commit = async (message: string): Promise<void> => {
    const who = '-c user.name=ada -c user.email=ada@example.com';
    const { code, notes } = await shell(
      `git add -A && git ${who} commit -qm '${message}' && git push -q`,
      '',
    );
    expect([code, notes]).toMatchObject([0, expect.anything()]);
  };

  /** Runs the steps of a job until one fails. */
  const job = async (name: string, key: string): Promise<{ code: number; notes: string }> => {
    const steps = stepsOf(name);
    expect(steps.length).toBeGreaterThan(1);
    for (const step of steps) {
      const outcome = await shell(step, key);
      if (outcome.code !== 0) return outcome;
    }
    return { code: 0, notes: '' };
  };

  const comment = () => readFile(join(folder, 'comment.md'), 'utf8');
  const edit = async (text: string): Promise<void> => {
    await writeFile(
      join(work(), 'templates/deploy-alert/template.json'),
      JSON.stringify({ name: 'Deploy alert', blocks: [section(text)] }),
    );
    await shell('stanza test --update', '');
  };
  const live = async () => (await api.ok(getTemplate, { params: { id: templateId } })).current_version;

  it('says on the pull request that there is nothing to do, where there is nothing', async () => {
    expect(await job('plan', keys.reading)).toMatchObject({ code: 0 });
    expect(await comment()).toContain('### Templates: 1 unchanged');
  });

  it('shows the difference and the impact there, and pushes with the merge', async () => {
    await edit('{{service}} is out');
    expect(await job('plan', keys.reading)).toMatchObject({ code: 0 });
    expect(await comment()).toContain('| `deploy-alert` | changed | append, activate |');
    expect(await comment()).toContain('+ /blocks/0/text/text "{{service}} is out"');
    expect((await live())?.version_number).toBe(1);
    await commit('Say it shorter');
    expect(await job('push', keys.writing)).toMatchObject({ code: 0 });
    expect(await live()).toMatchObject({ version_number: 2, note: 'abc1234' });
    const { stdout } = await run('git', ['log', '--format=%s', 'origin/main'], { cwd: work() });
    expect(stdout.split('\n')[0]).toBe('Note what was pushed');
    expect(await job('push', keys.writing)).toMatchObject({ code: 0 });
    expect((await live())?.version_number).toBe(2);
  });

  it('stops a change with which stored data breaks, and names the scope that reads a schedule', async () => {
    const { id } = await api.ok(createScheduledMessage, {
      body: {
        template_id: templateId,
        channel_id: 'C0SCHEDULED',
        cron: '0 9 * * 1-5',
        timezone: 'UTC',
        data: { service: 'api' },
      },
    });
    await edit('{{version}}');
    expect((await job('plan', keys.reading)).code).toBe(3);
    expect(await comment()).toContain('Stored data breaks');
    // The key of the plan may not read the schedule.
    expect(await comment()).not.toContain(id);
    expect(await comment()).toContain('not looked at: 1 of schedule, which takes the scope messages:create');
    const stopped = await job('push', keys.writing);
    expect([stopped.code, stopped.notes]).toEqual([3, expect.stringContaining(id)]);
    expect((await live())?.version_number).toBe(2);
  });
});
