import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packagesOf, programOf } from './hand-over.mjs';

/**
 * Whether a command line asks for help alone.
 * @param {string[]} args
 */
export const asksForHelp = (args) => args.some((word) => word === '--help' || word === '-h');

/**
 * Whether the command's own help can be printed: it is installed and built, in whatever version.
 * @param {string} root the checkout
 * @param {string | undefined} command
 */
export const canExplain = (root, command) =>
  [
    'node_modules/.package-lock.json',
    // The runner of the tests uses what is built of deploy/local.
    'deploy/local/dist/cli.js',
    programOf(command),
    // The runner loads packages that a start does not install.
    ...(packagesOf(command) === 'all' ? ['node_modules/jest/package.json'] : []),
  ].every((file) => existsSync(join(root, file)));

/** What a fresh clone says, where the packages that print the options are not installed. */
export const shortHelp = `npm start                   install, build and start everything on http://127.0.0.1:8787
npm stop                    stop what runs in the background
npm run dev                 run from the sources; a changed file restarts its service
npm run admin               the operator's commands
npm test                    types, lint and tests of every level
npm run bench|chaos|soak|hops   measure

The options are listed once the packages are installed: npm ci && npm run build, and ask again.`;
