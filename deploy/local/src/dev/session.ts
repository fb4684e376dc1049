import { messageOf } from '../failure.ts';
import { lastLines } from '../logs.ts';
import { renewUsers } from '../nats/start.ts';
import { projectRoot } from '../project.ts';
import type { Stack } from '../stack.ts';
import { affectedBy } from './affected.ts';
import type { DevOutput } from './output.ts';
import { Restarts } from './restarts.ts';
import { startFailure } from './start-failure.ts';
import { type Change, SourceWatch } from './watch-sources.ts';
import { readWorkspaces } from './workspaces.ts';

/** Lines of a log that are searched for the reason of an end. */
const linesRead = 60;
const pathsShown = 3;

const listed = (paths: readonly string[]): string => {
  const shown = paths.slice(0, pathsShown).join(', ');
  return paths.length > pathsShown ? `${shown} and ${paths.length - pathsShown} more` : shown;
};

/** Restarts changed processes while a stack runs from its sources. */
export class DevSession {
  #output: DevOutput;
  #natsFolder: string;
  #workspaces = readWorkspaces(projectRoot);
  /** Changes before the stack was ready. */
  #early: Change[] = [];
  #watch: SourceWatch;
  #stack: Stack | undefined;
  #restarts: Restarts | undefined;

  /**
   * Watches from now on.
   * @param natsFolder holds the configuration of the stack's NATS server
   */
  constructor(output: DevOutput, natsFolder: string) {
    this.#output = output;
    this.#natsFolder = natsFolder;
    this.#watch = new SourceWatch(projectRoot, (change) => this.#onChange(change));
  }

  /** The stack is ready: processes that changed during its start are restarted now. */
  begin(stack: Stack): void {
    this.#stack = stack;
    this.#restarts = new Restarts((name) => stack.process(name), {
      onRestarted: (name, milliseconds, { paths }) => {
        const time = `${(milliseconds / 1000).toFixed(1)} s`;
        this.#output.say('info', `${name} restarted in ${time}`, { changed: listed(paths) });
      },
      onSlow: (name, message) => this.#output.say('error', `${name} is not ready: ${message}`),
    });
    for (const change of this.#early.splice(0)) this.#onChange(change);
  }

  /** A process has died and stays down. */
  onDown(name: string, how: string): void {
    // The start of the stack fails and reports it.
    if (this.#stack === undefined) return;
    const reason = startFailure(lastLines(this.#stack.process(name).logFile, linesRead));
    const told = [`${name} ${how}`, reason].filter(Boolean).join(': ');
    this.#output.say('error', `${told}. The next change of its sources starts it again.`);
  }

  /** Stops watching, and ends restarts in flight. */
  async end(): Promise<void> {
    this.#watch.close();
    await this.#restarts?.close();
  }

  #onChange(change: Change): void {
    if (this.#stack === undefined) this.#early.push(change);
    else void this.#apply(change, this.#stack);
  }

  async #apply(change: Change, stack: Stack): Promise<void> {
    const { processes, migrations, permissions, runner } = affectedBy(change.paths, this.#workspaces);
    if (runner)
      this.#output.say(
        'warn',
        'deploy/local runs the stack itself: start "npm run dev" again to see the change',
      );
    if (migrations && !(await this.#migrate(stack))) return;
    if (permissions) await this.#permit(stack);
    for (const name of processes) this.#restarts?.request(name, change);
  }

  /** Gives the services the permissions of the contracts: a new operation may be called then. */
  async #permit(stack: Stack): Promise<void> {
    // A server that the developer brings has its own configuration.
    if (!stack.processes.includes('nats')) return;
    try {
      await renewUsers(this.#natsFolder);
      stack.kill('nats', 'SIGHUP');
    } catch (error) {
      this.#output.say('error', `the permissions in NATS stay as they were: ${messageOf(error)}`);
    }
  }

  /** True when the database is up to date. */
  async #migrate(stack: Stack): Promise<boolean> {
    try {
      await stack.migrate();
      this.#output.say(
        'info',
        'the database is up to date; a migration that was applied before is not applied again',
      );
      return true;
    } catch (error) {
      this.#output.say('error', messageOf(error));
      return false;
    }
  }
}
