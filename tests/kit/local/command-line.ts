import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inheritedEnvironment } from '@stanza/local/environment';
import { projectRoot } from '@stanza/local/project';
import { type CommandResult, collectOutput } from './output.ts';

/** Runs the built command line with a stack folder of its own, as the bootstrap does. */
export const commandLine =
  (directory: string) =>
  (...words: string[]): Promise<CommandResult> => {
    const built = join(projectRoot, 'deploy/local/dist/cli.js');
    if (!existsSync(built)) throw new Error('The command line is not built: run this test with "npm test".');
    const child = spawn(process.execPath, [built, ...words], {
      cwd: projectRoot,
      env: { ...inheritedEnvironment(), STANZA_DIRECTORY: directory },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return collectOutput(child);
  };
