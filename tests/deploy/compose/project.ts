import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { freePorts } from '@stanza/stack';
import { z } from 'zod';
import { checkout } from './compose-file.ts';

const run = promisify(execFile);

/** Long enough for a build without anything in a cache. */
const patienceMs = 900_000;

/** Runs docker at the top of the checkout and answers what it printed. */
export const docker = async (args: readonly string[], env: Record<string, string> = {}): Promise<string> => {
  const { stdout } = await run('docker', [...args], {
    cwd: checkout,
    env: { ...process.env, ...env },
    timeout: patienceMs,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.trim();
};

const containerSchema = z.object({
  ID: z.string(),
  Service: z.string(),
  State: z.string(),
  Health: z.string(),
});

/** A container of a project. */
export type Container = z.output<typeof containerSchema>;

/** docker-compose.yml under a name, on ports and with volumes of its own. */
export class ComposeProject {
  readonly #name: string;
  readonly #env: Record<string, string>;
  /** Where the API answers. */
  readonly api: string;
  /** Where the sandbox answers. */
  readonly sandbox: string;

  private constructor(name: string, [port = 0, sandboxPort = 0]: readonly number[]) {
    this.#name = name;
    this.#env = {
      STANZA_IMAGE: `stanza:${name}`,
      STANZA_PORT: String(port),
      STANZA_SANDBOX_PORT: String(sandboxPort),
    };
    this.api = `http://127.0.0.1:${port}`;
    this.sandbox = `http://127.0.0.1:${sandboxPort}`;
  }

  static async named(name: string): Promise<ComposeProject> {
    return new ComposeProject(name, await freePorts(2));
  }

  /** `docker compose` on this project. */
  compose(...args: string[]): Promise<string> {
    return docker(['compose', '--project-name', this.#name, ...args], this.#env);
  }

  /** Starts what does not run, and waits until all of it is healthy. */
  async up(...args: string[]): Promise<void> {
    try {
      await this.compose('up', '--detach', '--wait', ...args);
    } catch (error) {
      const state = await this.compose('ps', '--all', '--format', 'table {{.Name}}\t{{.Status}}');
      const logs = await this.compose('logs', '--tail', '20');
      throw new Error(`it did not become healthy:\n${state}\n${logs}`, { cause: error });
    }
  }

  /** The containers of a service, running ones alone. */
  async containers(service: string): Promise<Container[]> {
    const printed = await this.compose('ps', '--format', 'json', service);
    return printed
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => containerSchema.parse(JSON.parse(line)))
      .filter((it) => it.State === 'running');
  }

  /** Runs a program in the first container of a service. */
  exec(service: string, ...program: string[]): Promise<string> {
    return this.compose('exec', '-T', service, ...program);
  }

  /** The key of the demo's first owner, as the README asks for it. */
  demoKey(): Promise<string> {
    return this.compose('run', '--rm', '--no-deps', '-T', 'seed', 'demo', '--key');
  }

  /** Whether containers of a network can reach what is outside of it. */
  async hasWayOut(network: string): Promise<boolean> {
    const format = '{{.Internal}}';
    return (await docker(['network', 'inspect', '--format', format, `${this.#name}_${network}`])) === 'false';
  }

  /** Ends it and forgets containers, data and image. */
  async forget(): Promise<void> {
    await this.compose('down', '--volumes', '--timeout', '5');
    await docker(['image', 'rm', '--force', `stanza:${this.#name}`]);
  }
}
