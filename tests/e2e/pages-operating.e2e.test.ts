import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Stack, startStack } from '@stanza/stack';
import { migratorRole, urlFor } from '../../shared/stack/src/provision.ts';
import { readSecrets } from '../../shared/stack/src/secrets.ts';
import { runPage } from '../docs/run-page.ts';
import { openWorld, type World } from '../support/stack.ts';

describe('the pages for operators, on a stack that nobody else works with', () => {
  let directory: string;
  let stack: Stack;
  let world: World;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'stanza-operating-'));
    stack = await startStack({ directory, seed: false });
    world = await openWorld(stack.info);
  }, 180_000);
  afterAll(async () => {
    await world?.close();
    await stack?.stop();
    await rm(directory, { recursive: true, force: true });
  }, 60_000);

  const run = (page: string, values: Record<string, string> = {}) =>
    runPage(page, { values, stackDirectory: directory });

  it('close the API for maintenance and open it again', async () => {
    const { output } = await run('docs/operating.md');
    expect(output).toContain('"message": "Back at noon."');
    const answer = await world.api.get('/v1/auth/validate');
    expect(answer.status).toBe(401);
  });

  it('bring the schemas up to date', async () => {
    const { roles } = readSecrets(join(directory, 'secrets.json'));
    const DATABASE = urlFor(stack.info.database_url, migratorRole, roles[migratorRole] ?? '');
    const { output } = await run('docs/upgrading.md', { DATABASE });
    expect(output).toContain('schema is up to date');
  });

  it('ask the sandbox for a session token, and to misbehave', async () => {
    const { output } = await run('shared/sandbox/README.md', { SANDBOX: world.sandboxUrl });
    expect(output).toContain('"access_token"');
    const faults = await fetch(`${world.sandboxUrl}/control/faults`);
    expect(await faults.text()).toContain('reset_after');
  });
});
