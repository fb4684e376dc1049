import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Stack } from '@stanza/local';
import { migratorRole, urlFor } from '@stanza/local/provision';
import { readSecrets } from '@stanza/local/secrets';
import { runPage } from '../docs/run-page.ts';
import { type OwnStack, startOwnStack } from '../kit/own-stack.ts';
import type { World } from '../kit/stack.ts';

describe('the pages for operators, on a stack of their own', () => {
  let own: OwnStack;
  let directory: string;
  let stack: Stack;
  let world: World;

  beforeAll(async () => {
    own = await startOwnStack('operating', { seed: false });
    ({ directory, stack, world } = own);
  });
  afterAll(async () => {
    await own?.close();
  });

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
    const { output } = await run('deploy/sandbox/README.md', {
      SANDBOX: world.sandboxUrl,
      SECRET: stack.info.identity_secret,
    });
    expect(output).toContain('"access_token"');
    const faults = await fetch(`${world.sandboxUrl}/control/faults`);
    expect(await faults.text()).toContain('reset_after');
  });
});
