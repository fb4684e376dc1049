import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from '@stanza/local';
import {
  DockerComposeEnvironment,
  getContainerRuntimeClient,
  type StartedDockerComposeEnvironment,
} from 'testcontainers';
import { checkout, composeFileName } from './compose-file.ts';
import { followLogs } from './start-logs.ts';

const run = promisify(execFile);

/** Ends a wait that would otherwise never end; a container whose checks fail ends it before. */
const startupTimeoutMs = 600_000;

/**
 * docker-compose.yml under a name, on ports and with volumes of its own. testcontainers starts it, waits for its health
 * checks and takes it down. `docker compose` itself is called for the two things that testcontainers does not offer:
 * a container for one command (`run`) and the log of a container that has ended.
 */
export class ComposeProject {
  readonly #name: string;
  readonly #env: Record<string, string>;
  readonly #keeper: ChildProcess;
  #started: StartedDockerComposeEnvironment | undefined;
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
    this.#keeper = spawn(
      process.execPath,
      ['--no-warnings', join(import.meta.dirname, 'take-down.ts'), name],
      {
        stdio: ['pipe', 'ignore', 'inherit'],
        // Out of the reach of a Ctrl-C, after which it has work to do.
        detached: true,
      },
    );
  }

  static async named(name: string): Promise<ComposeProject> {
    return new ComposeProject(name, await freePorts(2));
  }

  /** Builds the image, starts everything, and waits until it is healthy. */
  buildAndStart(): Promise<void> {
    return this.#up(this.#environment().withBuild());
  }

  /** Starts everything, and waits until it is healthy. */
  start(): Promise<void> {
    return this.#up(this.#environment());
  }

  /** Starts further containers of a service next to the running ones, and waits until they are healthy. */
  scale(service: string, replicas: number): Promise<void> {
    const commandOptions = ['--no-deps', '--no-recreate', '--scale', `${service}=${replicas}`];
    return this.#up(this.#environment().withClientOptions({ commandOptions }), [service]);
  }

  /** Removes all containers, and keeps the volumes. */
  async stop(): Promise<void> {
    await this.#started?.down({ removeVolumes: false });
  }

  /** The ids of the running containers of a service. */
  async containers(service: string): Promise<string[]> {
    const { container } = await getContainerRuntimeClient();
    const all = await container.list();
    return all
      .filter(({ Labels }) => Labels['com.docker.compose.project'] === this.#name)
      .filter(({ Labels }) => Labels['com.docker.compose.service'] === service)
      .map(({ Id }) => Id);
  }

  /** Kills one container of a service at once; the engine does not start it again. */
  async killOne(service: string): Promise<void> {
    const { container } = await getContainerRuntimeClient();
    const [victim] = await this.containers(service);
    await container.getById(victim ?? `no container of ${service}`).kill();
  }

  /** Runs a program in the first container of a service. */
  async exec(service: string, ...program: string[]): Promise<string> {
    const container = this.#started?.getContainer(`${service}-1`);
    if (container === undefined) throw new Error('The project does not run.');
    const { exitCode, stdout, output } = await container.exec(program);
    if (exitCode !== 0) throw new Error(`${program.join(' ')} ended with ${exitCode}: ${output}`);
    return stdout.trim();
  }

  /** `docker compose` on this project. */
  async compose(...args: string[]): Promise<string> {
    const { stdout } = await run('docker', ['compose', '--project-name', this.#name, ...args], {
      cwd: checkout,
      env: { ...process.env, ...this.#env },
    });
    return stdout.trim();
  }

  /** The key of the demo's first owner, as the README asks for it. */
  demoKey(): Promise<string> {
    return this.compose('run', '--rm', '--no-deps', '-T', 'seed', 'demo', '--key');
  }

  /** Whether containers of a network can reach what is outside of it. */
  async hasWayOut(name: string): Promise<boolean> {
    const { network } = await getContainerRuntimeClient();
    const { Internal } = await network.getById(`${this.#name}_${name}`).inspect();
    return Internal === false;
  }

  /** Removes containers, networks, volumes and the image. */
  async forget(): Promise<void> {
    const ended = once(this.#keeper, 'exit');
    this.#keeper.stdin?.end();
    const [code] = await ended;
    if (code !== 0) throw new Error(`The project ${this.#name} was not taken down: see the output above.`);
  }

  #environment(): DockerComposeEnvironment {
    return new DockerComposeEnvironment(checkout, composeFileName)
      .withProjectName(this.#name)
      .withEnvironment(this.#env)
      .withStartupTimeout(startupTimeoutMs);
  }

  async #up(environment: DockerComposeEnvironment, services?: string[]): Promise<void> {
    const logs = await followLogs(this.#name);
    try {
      this.#started = await environment.up(services);
    } catch (error) {
      throw new Error(`it did not become healthy:\n${logs.lastLines()}`, { cause: error });
    } finally {
      logs.end();
    }
  }
}
