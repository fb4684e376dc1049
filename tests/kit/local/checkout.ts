import { spawn } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '@stanza/local/project';
import { type CommandResult, collectOutput } from './output.ts';

/** A checkout in miniature: the real bootstrap, with an npm and a compiler that only write down that they were called. */
export interface Checkout {
  root: string;
  /** Runs `npm run <words>` there. */
  run: (words: string[], env?: Record<string, string>) => Promise<CommandResult>;
  /** What was called so far: `install`, `install product`, `add`, `build`, `build programs`, each with its flags. */
  calls: () => Promise<string[]>;
  /** What npm was called with last. */
  npmWords: () => Promise<string[]>;
  writeLock: (version: string) => Promise<void>;
}

const fakeNpm = `
const fs = require('node:fs');
const root = process.cwd();
if (process.argv[2] === 'config') { console.log(process.env.FAKE_NPM_SETTINGS || '{}'); process.exit(); }
const product = process.argv.includes('--workspaces');
fs.appendFileSync(root + '/.calls', [process.argv[2] === 'install' ? 'add' : 'install', ...(product ? ['product'] : [])].join(' ') + '\\n');
fs.writeFileSync(root + '/.npm-words', process.argv.slice(2).join(' '));
const addressed = root + '/npm-shrinkwrap.json';
if (fs.existsSync(addressed)) {
  fs.copyFileSync(addressed, root + '/addressed.json');
  if (process.env.FAKE_NPM_ELSEWHERE) { console.error('npm error code E404'); process.exit(1); }
}
if (process.env.FAKE_NPM_ERROR) { console.error(process.env.FAKE_NPM_ERROR); process.exit(1); }
const lock = JSON.parse(fs.readFileSync(root + '/package-lock.json', 'utf8'));
const adds = process.argv[2] === 'install';
if (!adds) fs.rmSync(root + '/node_modules', { recursive: true, force: true });
fs.mkdirSync(root + '/node_modules/typescript/bin', { recursive: true });
fs.writeFileSync(root + '/node_modules/typescript/package.json', '{}');
if (process.env.FAKE_NPM_DIES) process.kill(process.pid, 'SIGKILL');
fs.writeFileSync(root + '/node_modules/typescript/bin/tsc', fs.readFileSync(root + '/tsc.cjs'));
if (product) delete lock.packages['node_modules/jest'];
else {
  fs.mkdirSync(root + '/node_modules/jest', { recursive: true });
  fs.writeFileSync(root + '/node_modules/jest/package.json', '{}');
}
delete lock.packages['node_modules/for-elsewhere'];
fs.writeFileSync(root + '/node_modules/.package-lock.json', JSON.stringify({ packages: lock.packages }));
`;

const fakeCompiler = `
const fs = require('node:fs');
const args = process.argv.slice(2);
const programsOnly = args.includes('.stanza/emit');
const words = ['build', ...(programsOnly ? ['programs'] : []), ...args.filter((it) => it.startsWith('--'))];
fs.appendFileSync(process.cwd() + '/.calls', words.join(' ') + '\\n');
const record = programsOnly ? '.emit.tsbuildinfo' : '.tsbuildinfo';
fs.writeFileSync(process.cwd() + '/deploy/local/dist/' + record, '');
`;

const fakeCommandLine = `console.log('ran ' + process.argv.slice(2).join(' ')); process.exit(7);`;

/** Makes one in the folder. Nothing is installed in it yet. */
export const makeCheckout = async (root: string): Promise<Checkout> => {
  const stack = join(projectRoot, 'deploy/local');
  await mkdir(join(root, 'tests/runner'), { recursive: true });
  await writeFile(join(root, 'tests/runner/main.ts'), fakeCommandLine);
  // The pages of the console are built already, the SDK is generated and packed.
  await mkdir(join(root, 'services/console/build'), { recursive: true });
  await writeFile(join(root, 'services/console/build/build.ts'), '');
  await mkdir(join(root, 'services/gateway/build'), { recursive: true });
  await writeFile(join(root, 'services/gateway/build/downloads.ts'), '');
  await mkdir(join(root, 'shared/sdk-emitter/src'), { recursive: true });
  await writeFile(join(root, 'shared/sdk-emitter/src/main.ts'), '');
  await mkdir(join(root, 'deploy/local/dist'), { recursive: true });
  await cp(join(stack, 'bootstrap'), join(root, 'deploy/local/bootstrap'), { recursive: true });
  await cp(join(stack, 'bootstrap.mjs'), join(root, 'deploy/local/bootstrap.mjs'));
  await writeFile(join(root, 'deploy/local/dist/cli.js'), fakeCommandLine);
  await writeFile(
    join(root, 'tsconfig.json'),
    JSON.stringify({ references: [{ path: 'deploy/local' }, { path: 'shared/sdk' }] }),
  );
  // The compiler builds the SDK whole, with its record, whatever the command.
  await mkdir(join(root, 'shared/sdk/dist'), { recursive: true });
  await writeFile(join(root, 'shared/sdk/dist/.tsbuildinfo'), '');
  await writeFile(join(root, 'npm.js'), fakeNpm);
  await writeFile(join(root, 'tsc.cjs'), fakeCompiler);
  const writeLock = (version: string): Promise<void> =>
    writeFile(
      join(root, 'package-lock.json'),
      JSON.stringify({
        packages: {
          '': {},
          'node_modules/typescript': { version, integrity: 'sha512-typescript' },
          'node_modules/jest': { version: '30.5.2' },
          'node_modules/for-elsewhere': { version: '1.0.0', optional: true, os: ['aix'], cpu: ['ppc'] },
        },
      }),
    );
  await writeLock('7.0.2');
  return {
    root,
    writeLock,
    run: (words, env = {}) =>
      collectOutput(
        spawn(process.execPath, [join(root, 'deploy/local/bootstrap.mjs'), ...words], {
          cwd: root,
          env: { PATH: process.env.PATH, npm_execpath: join(root, 'npm.js'), ...env },
          stdio: ['ignore', 'pipe', 'pipe'],
        }),
      ),
    npmWords: async () => (await readFile(join(root, '.npm-words'), 'utf8')).split(' '),
    calls: async () => (await readFile(join(root, '.calls'), 'utf8')).trim().split('\n'),
  };
};
