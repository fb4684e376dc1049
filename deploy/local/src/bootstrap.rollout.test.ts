import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { makeCheckout } from '@stanza/test-kit/local/checkout';
import { testFolders } from '@stanza/test-kit/local/folder';
import { scratchCheckout } from '@stanza/test-kit/local/scratch-checkout';
import { projectRoot } from './project.ts';

const run = promisify(execFile);

const contentOf = (pattern: string, root: string): Map<string, string> =>
  new Map(
    globSync(pattern, { cwd: root })
      .sort()
      .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
  );

/** A program that compiles a checkout as its first start does. */
const emitIn = (root: string): string => `
  import { execFileSync } from 'node:child_process';
  import { programsOnly } from ${JSON.stringify(join(root, 'deploy/local/bootstrap/emit.mjs'))};
  const args = ['node_modules/typescript/bin/tsc', '-b', ...programsOnly(${JSON.stringify(root)}), '--noCheck', '--force'];
  execFileSync(process.execPath, args, { stdio: 'inherit' });
`;

const newFolder = testFolders();
const newCheckout = async () => makeCheckout(await newFolder());

describe('the bootstrap', () => {
  it('installs, builds and runs the command, and returns its exit code', async () => {
    const checkout = await newCheckout();
    const { code, output, stdout } = await checkout.run(['start', '--port', '0']);
    expect(await checkout.calls()).toEqual(['install product', 'build programs --force --noCheck']);
    expect(output).toContain('✓ Installing packages');
    // What a command answers may go into a file: progress is no part of it.
    expect(stdout).toBe('ran start --port 0\n');
    expect(code).toBe(7);
  });

  it('runs no script of a package, whatever the configuration of npm', async () => {
    const checkout = await newCheckout();
    await checkout.run(['start'], { npm_config_ignore_scripts: 'false' });
    expect(await checkout.npmWords()).toEqual(expect.arrayContaining(['ci', '--ignore-scripts']));
  });

  describe('where the user has registries', () => {
    const settings = { registry: 'https://one.example/npm', '@scope:registry': 'https://two.example/' };
    const user = { FAKE_NPM_SETTINGS: JSON.stringify(settings) };

    it('tells npm where each archive is, and leaves that nowhere', async () => {
      const { root, run: start } = await newCheckout();
      const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
      const scoped = { version: '1.0.0', integrity: 'sha512-b', optional: true };
      lock.packages['node_modules/a/node_modules/@scope/b'] = scoped;
      await writeFile(join(root, 'package-lock.json'), JSON.stringify(lock));
      await start(['start'], user);
      const { packages } = JSON.parse(readFileSync(join(root, 'addressed.json'), 'utf8'));
      expect(packages['node_modules/typescript'].resolved).toBe(
        'https://one.example/npm/typescript/-/typescript-7.0.2.tgz',
      );
      expect(packages['node_modules/a/node_modules/@scope/b'].resolved).toBe(
        'https://two.example/@scope/b/-/b-1.0.0.tgz',
      );
      expect(packages['node_modules/jest'].resolved).toBeUndefined();
      expect(existsSync(join(root, 'npm-shrinkwrap.json'))).toBe(false);
    });

    it('lets npm ask a registry that has them elsewhere', async () => {
      const { run: start, calls } = await newCheckout();
      const { code } = await start(['start'], { ...user, FAKE_NPM_ELSEWHERE: '1' });
      expect((await calls()).slice(0, 2)).toEqual(['install product', 'install product']);
      expect(code).toBe(7);
    });
  });

  it('installs and builds nothing when nothing has changed', async () => {
    const checkout = await newCheckout();
    await checkout.run(['start']);
    const { output } = await checkout.run(['start']);
    expect(await checkout.calls()).toEqual(['install product', 'build programs --force --noCheck']);
    // A build that takes longer, on a busy machine, shows its progress.
    expect(output).not.toContain('Installing');
    expect(output).toMatch(/^ran start$/m);
  });

  it('A checkout is built again where a file has changed, and where what was built is lost', async () => {
    const checkout = await newCheckout();
    await checkout.run(['start']);
    await writeFile(join(checkout.root, 'shared/sdk-emitter/src/new.ts'), '');
    await checkout.run(['start']);
    await rm(join(checkout.root, 'shared/sdk/dist'), { recursive: true });
    await checkout.run(['start']);
    const builds = (await checkout.calls()).filter((call) => call === 'build programs --noCheck');
    expect(builds).toHaveLength(2);
  });

  it('A checkout is built again after a build that failed', async () => {
    const checkout = await newCheckout();
    await checkout.run(['start']);
    const program = join(checkout.root, 'shared/sdk-emitter/src/main.ts');
    await writeFile(program, 'process.exit(1)');
    expect((await checkout.run(['start'])).code).toBe(1);
    expect((await checkout.run(['start'])).code).toBe(1);
    await writeFile(program, '');
    expect((await checkout.run(['start'])).code).toBe(7);
  });

  it('checks types for those who change the sources alone', async () => {
    const checkout = await newCheckout();
    for (const command of ['start', 'dev', 'test', 'admin']) await checkout.run([command]);
    expect(await checkout.calls()).toEqual([
      ...['install product', 'build programs --force --noCheck'],
      ...['add', 'build --force'],
    ]);
  });

  it('installs what the product needs for a start, and adds the rest for tests', async () => {
    const checkout = await newCheckout();
    await checkout.run(['start']);
    expect(existsSync(join(checkout.root, 'node_modules/jest'))).toBe(false);
    await writeFile(join(checkout.root, 'node_modules/in-use'), '');
    await checkout.run(['test']);
    expect(existsSync(join(checkout.root, 'node_modules/jest'))).toBe(true);
    // A stack may run from the packages that are there.
    expect(existsSync(join(checkout.root, 'node_modules/in-use'))).toBe(true);
  });

  it('installs nothing for a start after tests, and keeps their packages when the lock changes', async () => {
    const checkout = await newCheckout();
    await checkout.run(['test']);
    await checkout.run(['start']);
    expect(await checkout.calls()).toEqual(['install', 'build --force']);
    await checkout.writeLock('7.0.3');
    await checkout.run(['start']);
    expect(existsSync(join(checkout.root, 'node_modules/jest'))).toBe(true);
  });

  it('builds whole for tests what a start has built without declarations', async () => {
    const checkout = await newCheckout();
    await checkout.run(['start']);
    const record = join(checkout.root, 'deploy/local/dist/.emit.tsbuildinfo');
    expect(existsSync(record)).toBe(true);
    await checkout.run(['test']);
    expect(existsSync(record)).toBe(false);
  });

  it('prints help without installing or building', async () => {
    const checkout = await newCheckout();
    const { code, output } = await checkout.run(['start', '--help']);
    expect(output).toContain('npm run dev');
    expect(code).toBe(0);
    expect(existsSync(join(checkout.root, '.calls'))).toBe(false);
    await checkout.run(['start']);
    expect((await checkout.run(['start', '--help'])).output).toMatch(/^ran start --help$/m);
    expect(await checkout.calls()).toEqual(['install product', 'build programs --force --noCheck']);
  });

  it('says that npm took an option, which stood before no "--"', async () => {
    const checkout = await newCheckout();
    const { code, output } = await checkout.run(['start'], { npm_config_detach: 'true' });
    expect(output).toContain('Write "npm start -- --detach".');
    expect(code).toBe(1);
    const letters = await checkout.run(['start'], { npm_config_all: 'true', npm_config_long: 'true' });
    expect(letters.output).toContain('Write "npm start -- --small".');
  });

  it('accepts an install by hand', async () => {
    const checkout = await newCheckout();
    await checkout.run(['test']);
    await rm(join(checkout.root, 'node_modules/.stanza-install.json'));
    await checkout.run(['test']);
    expect(await checkout.calls()).toEqual(['install', 'build --force']);
  });

  it('installs again when the lock has changed', async () => {
    const checkout = await newCheckout();
    await checkout.run(['start']);
    await checkout.writeLock('7.0.3');
    await checkout.run(['start']);
    expect((await checkout.calls()).filter((it) => it.startsWith('install'))).toHaveLength(2);
  });

  it('installs again after an interrupted install or a lost package', async () => {
    const checkout = await newCheckout();
    const killed = await checkout.run(['start'], { FAKE_NPM_DIES: '1' });
    expect(killed.output).toContain('✗ npm ci failed');
    await checkout.run(['start']);
    await rm(join(checkout.root, 'node_modules/typescript/package.json'));
    await checkout.run(['start']);
    expect((await checkout.calls()).filter((it) => it.startsWith('install'))).toHaveLength(3);
  });

  it('installs once when two commands start at the same moment', async () => {
    const checkout = await newCheckout();
    const results = await Promise.all([checkout.run(['start']), checkout.run(['test'])]);
    expect(results.map((it) => it.code)).toEqual([7, 7]);
    expect((await checkout.calls()).filter((it) => it.startsWith('install'))).toHaveLength(1);
  });

  it('takes over from a command that was killed during its set-up', async () => {
    const checkout = await newCheckout();
    await mkdir(join(checkout.root, '.stanza'));
    const beyondAnyPid = 2 ** 30;
    await writeFile(join(checkout.root, '.stanza/setup.lock'), String(beyondAnyPid));
    expect((await checkout.run(['start'])).code).toBe(7);
  });

  it('says what to do when npm fails', async () => {
    const checkout = await newCheckout();
    const offline = await checkout.run(['start'], { FAKE_NPM_ERROR: 'npm error code ENOTFOUND' });
    expect(offline.output).toContain('could not be reached: check the network');
    const unlike = await checkout.run(['start'], { FAKE_NPM_ERROR: 'npm error code EUSAGE' });
    expect(unlike.output).toContain('run "npm install", and commit the lock');
    expect([offline.code, unlike.code]).toEqual([1, 1]);
  });

  it('stops when the sources do not compile, which fails a test run', async () => {
    const checkout = await newCheckout();
    await writeFile(join(checkout.root, 'tsc.cjs'), `console.log('x.ts(1,1): error'); process.exit(2);`);
    const { code, output, stdout } = await checkout.run(['test']);
    expect(output).toContain('The sources do not compile:\nx.ts(1,1): error');
    expect(stdout.trim().split('\n').at(-1)).toBe('0 passed, 1 failed');
    expect(code).toBe(1);
  });

  it('writes the same programs without declarations as with them', async () => {
    const root = await newFolder();
    await scratchCheckout(root);
    for (const file of ['tsconfig.json', 'tsconfig.base.json'])
      await cp(join(projectRoot, file), join(root, file));
    const programs = () => contentOf('{shared,services,deploy}/*/dist/**/*.js', root);
    const whole = programs();
    expect(whole.size).toBeGreaterThan(1_000);
    for (const file of whole.keys()) await rm(join(root, file));
    await run(process.execPath, ['--input-type=module', '--eval', emitIn(root)], { cwd: root });
    // The bundle of the command and that of the console are not the compiler's.
    const bundled = /^shared\/cli\/dist\/stanza\.js|^services\/console\//;
    expect(programs()).toEqual(new Map([...whole].filter(([file]) => !bundled.test(file))));
  });
});
