import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { scriptPath } from './project.ts';

/** A command line, ready to be spawned. */
export interface CommandLine {
  command: string;
  args: string[];
}

/**
 * Ties the life of children to this process, however it ends. On Linux the kernel does it (`setpriv --pdeathsig`);
 * elsewhere a small process of its own notices that this one is gone and ends those it was told of.
 */
export interface Tether {
  /** Wraps a command so that it receives the signal when this process dies. */
  wrap(line: CommandLine, signal: NodeJS.Signals): CommandLine;
  /** Tells of a started child. */
  hold(pid: number, signal: NodeJS.Signals): void;
  /** Tells that a child has ended, so that its number is not used against a stranger. */
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

/** For systems without that facility: see reaper.ts for the other side of the pipe. */
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
  // A reaper that is gone costs the protection, not the stack.
  reaper.stdin?.on('error', (error) => console.error(`The reaper of this stack is gone: ${error.message}`));
  return reaper;
};

// Busybox has a setpriv without this option, so its mere presence says nothing.
const kernelCanTether = (): boolean =>
  process.platform === 'linux' && spawnSync('setpriv', ['--pdeathsig', 'KILL', '--', 'true']).status === 0;

let chosen: Tether | undefined;

/** The tether that this system offers. */
export const tether = (): Tether => {
  chosen ??= kernelCanTether() ? kernelTether : reaperTether();
  return chosen;
};
