import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { scriptPath } from './project.ts';

/** A command line, ready to be spawned. */
export interface CommandLine {
  command: string;
  args: string[];
}

/**
 * Ends the children of this process with it, however it ends. On Linux the kernel does it (`setpriv --pdeathsig`);
 * elsewhere a small helper process notices the end and signals the children.
 */
export interface Tether {
  /** Wraps a command so that it receives the signal when this process dies. */
  wrap(line: CommandLine, signal: NodeJS.Signals): CommandLine;
  /** Registers a started child. */
  hold(pid: number, signal: NodeJS.Signals): void;
  /** Removes an ended child, so that a reused number is not signalled. */
  release(pid: number): void;
}

const kernelTether: Tether = {
  wrap: ({ command, args }, signal) => ({
    command: 'setpriv',
    args: ['--pdeathsig', signal.replace(/^SIG/, ''), '--', command, ...args],
  }),
  hold: () => {},
  release: () => {},
};

/** For systems without `pdeathsig`; reaper.ts is the other end of the pipe. */
const reaperTether = (): Tether => {
  let reaper: ChildProcess | undefined;
  const tell = (line: string): void => {
    reaper ??= startReaper();
    reaper.stdin?.write(`${line}\n`);
  };
  return {
    wrap: (line) => line,
    hold: (pid, signal) => tell(`hold ${pid} ${signal}`),
    release: (pid) => tell(`release ${pid}`),
  };
};

const startReaper = (): ChildProcess => {
  const reaper = spawn(process.execPath, [scriptPath('reaper')], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  });
  reaper.unref();
  // The loss of the reaper does not stop the stack.
  reaper.stdin?.on('error', (error) => console.error(`The reaper of this stack is gone: ${error.message}`));
  return reaper;
};

// Busybox has a setpriv without this option, so its presence proves nothing.
const kernelCanTether = (): boolean =>
  process.platform === 'linux' && spawnSync('setpriv', ['--pdeathsig', 'KILL', '--', 'true']).status === 0;

let chosen: Tether | undefined;

/** The tether of this system. */
export const tether = (): Tether => {
  chosen ??= kernelCanTether() ? kernelTether : reaperTether();
  return chosen;
};
