import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/** Commands of the tests; the others are those of the stack. */
const ofTests = ['test', 'bench', 'chaos', 'soak', 'hops'];

/**
 * The packages that a command needs: those that check the sources, for people who change them, or those of the product.
 * @param {string | undefined} command
 */
export const packagesOf = (command) =>
  command !== undefined && ['dev', ...ofTests].includes(command) ? 'all' : 'product';

/**
 * The program that runs a command, from the root of the checkout.
 * @param {string | undefined} command
 */
export const programOf = (command) =>
  command !== undefined && ofTests.includes(command) ? 'tests/runner/main.ts' : 'deploy/local/dist/cli.js';

/**
 * Runs the command line proper in the foreground and answers its exit code. Ctrl-C reaches it from the terminal;
 * other signals are passed on; should this process be killed, it notices by the closed channel.
 * @param {string} root the checkout
 * @param {string} node path of the Node to run it under
 * @param {string[]} args
 * @returns {Promise<number>}
 */
export const handOver = (root, node, args) =>
  new Promise((resolve, reject) => {
    const path = [dirname(node), join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter);
    const child = spawn(node, [join(root, programOf(args[0])), ...args], {
      cwd: root,
      env: { ...process.env, PATH: path, NODE_COMPILE_CACHE: join(root, '.stanza/cache') },
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    });
    process.on('SIGINT', () => {});
    for (const name of ['SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(name));
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)));
  });
