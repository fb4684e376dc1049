import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { errorCodes, errorTable } from '@stanza/contracts';
import { productVersion } from '@stanza/runtime';
import { reactionTo } from '@stanza/sdk/retry';
import { channelsOf } from '../kit/channels.ts';
import { openWorld, type World } from '../kit/stack.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

/** Whether the Python of this machine is one that the SDK takes. */
const hasPython = (): boolean => {
  const check = 'import sys; sys.exit(sys.version_info < (3, 10))';
  try {
    execFileSync('python3', ['-c', check], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** What the SDK for TypeScript does after each failure. */
const decisions = () =>
  (['read', 'keyed', 'change'] as const).flatMap((kind) =>
    [
      ...errorCodes,
      'no_answer',
      'tls_failed',
      'invalid_request_408',
      'new_429',
      'new_503',
      'new_502',
    ].flatMap((code) => {
      const status = code in errorTable ? Object(errorTable)[code].status : Number(/\d+$/.exec(code) ?? 0);
      return [1, 2].flatMap((attempt) =>
        [false, true].map((replayed) => {
          const again = reactionTo({ code, status, replayed }, kind, attempt) === 'again';
          return { code, status, replayed, kind, attempt, again };
        }),
      );
    }),
  );

(hasPython() ? describe : describe.skip)('the SDK for Python, where python3 is 3.10 or newer', () => {
  let world: World;
  let folder: string;
  let env: Record<string, string | undefined>;

  beforeAll(async () => {
    world = await openWorld();
    const { key } = await (await world.newOrganization({ tier: 'enterprise', credits: 10_000 })).key();
    folder = await mkdtemp(join(tmpdir(), 'stanza-python-'));
    const { base } = world.api;
    const wheel = `stanza_sdk-${productVersion}-py3-none-any.whl`;
    const packed = await (await fetch(`${base}/downloads/${wheel}`)).arrayBuffer();
    await writeFile(join(folder, wheel), Buffer.from(packed));
    const { PATH, HOME } = process.env;
    const STANZA_RETRY_CASES = JSON.stringify(decisions());
    const channels = channelsOf('sdk-python');
    const CHANNELS = Array.from({ length: 40 }, (_, number) => channels.at(number)).join(' ');
    const PYTHONPATH = join(folder, wheel);
    const own = { PYTHONPATH, PYTHONDONTWRITEBYTECODE: '1', STANZA_VERSION: productVersion };
    env = { PATH, HOME, API: base, KEY: key, CHANNELS, STANZA_RETRY_CASES, ...own };
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await world.close();
  });

  it('passes its tests with the package that the gateway serves', async () => {
    const tests = join(root, 'shared/sdk-python/tests');
    const { stderr } = await run('python3', ['-m', 'unittest', 'discover', '-s', tests], { env });
    expect(stderr).toMatch(/^OK$/m);
  });

  it('is installed by the line that the page of downloads shows', async () => {
    const page = await (await fetch(`${world.api.base}/downloads/`)).text();
    const [, words = ''] = /<pre>pip (install [^<]+stanza-sdk)<\/pre>/.exec(page) ?? [];
    const own = ['--quiet', '--target', join(folder, 'installed'), '--disable-pip-version-check'];
    await run('python3', ['-m', 'pip', ...words.split(' '), ...own], { env });
    const ask = ['-c', 'import stanza_sdk; print(stanza_sdk.__version__)'];
    const given = { ...env, PYTHONPATH: join(folder, 'installed') };
    expect((await run('python3', ask, { env: given })).stdout.trim()).toBe(productVersion);
  });
});
