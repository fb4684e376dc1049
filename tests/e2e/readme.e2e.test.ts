import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testStack } from '@stanza/stack/testing';
import { answersIn, linesOf } from '../support/readme.ts';
import { openWorld, type World } from '../support/stack.ts';

const run = promisify(execFile);

describe('the README', () => {
  let world: World;
  let directory: string;

  beforeAll(async () => {
    world = await openWorld();
    directory = await mkdtemp(join(tmpdir(), 'stanza-readme-'));
  });
  afterAll(async () => {
    await world.close();
    await rm(directory, { recursive: true, force: true });
  });

  it('has a first message that works as it is printed: created, activated, compiled, sent', async () => {
    const organization = await world.newOrganization();
    const { key } = await organization.key();
    const printed = await linesOf('Your first message');
    const script = printed.replace(/^KEY=.*$/m, `KEY=${key}`).replace(/^API=.*$/m, `API=${world.api.base}`);
    const { stdout } = await run('bash', ['-euc', script], { cwd: directory });
    const [created, activated, compiled, sent, bulk] = answersIn(stdout);
    expect(created).toMatchObject({
      name: 'Deploy alert',
      current_version_id: null,
      version: { version_number: 1 },
    });
    expect(activated).toMatchObject({ version_number: 1, is_current: true });
    expect(compiled).toMatchObject({ success: true, warnings: [], blocks: [{ type: 'header' }, {}, {}, {}] });
    expect(sent).toMatchObject({ success: true, channel: 'C0DEPLOYS' });
    expect(bulk).toMatchObject({ success: true, total_sent: 2 });
    const { message_id } = Object(sent);
    const posted = await world.sandbox.messages('C0DEPLOYS');
    expect(posted.filter((message) => message.key === message_id)).toHaveLength(1);
  });

  it('has a session that works as it is printed', async () => {
    const printed = await linesOf('Acting as a person');
    const { identity_url, organizations } = testStack();
    const script = printed
      .replace(/^API=.*$/m, `API=${world.api.base}`)
      .replace(/^IDENTITY=.*$/m, `IDENTITY=${identity_url}`)
      .replace(/^ORGANIZATION=.*$/m, `ORGANIZATION=${organizations[0]?.id}`);
    const { stdout } = await run('bash', ['-euc', script], { cwd: directory });
    expect(answersIn(stdout)).toMatchObject([
      { valid: true, user: { first_name: 'Olivia', role: 'owner' }, token: { type: 'session' } },
    ]);
  });
});
