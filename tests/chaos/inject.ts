import { setTimeout as pause } from 'node:timers/promises';
import type { Stack } from '@stanza/stack';
import type { Receiver } from '../support/receiver.ts';
import type { SandboxControl } from '../support/sandbox.ts';
import type { Network } from './network.ts';
import type { Fault, Harm } from './schedule.ts';

/** What faults are done to. */
export interface Victim {
  stack: Stack;
  network: Network;
  sandbox: SandboxControl;
  receiver: Receiver;
}

type NetworkHarm = Extract<Harm, { kind: 'network' }>;

const breakWay = ({ network }: Victim, harm: NetworkHarm): void => {
  const way = network.way(harm.process, harm.to);
  if (harm.mode === 'partition') way.partition();
  else if (harm.mode === 'half-open') way.halfOpen();
  else if (harm.mode === 'slow') way.slow(harm.delayMs ?? 0);
  else way.reset();
};

const begin = async (victim: Victim, harm: Harm): Promise<void> => {
  const { stack, sandbox, receiver } = victim;
  switch (harm.kind) {
    case 'kill':
      return stack.kill(harm.process, 'SIGKILL');
    case 'terminate':
      return stack.kill(harm.process, 'SIGTERM');
    case 'freeze':
      return stack.kill(harm.process, 'SIGSTOP');
    case 'kill NATS':
      return stack.kill('nats', 'SIGKILL');
    case 'stop NATS':
      return stack.kill('nats', 'SIGTERM');
    case 'restart Postgres, fast':
      return stack.kill('postgres', 'SIGINT');
    case 'restart Postgres, immediate':
      return stack.kill('postgres', 'SIGQUIT');
    case 'platform': {
      const { mode, value, times } = harm;
      return sandbox.setFault({
        method: 'chat.postMessage',
        mode,
        times,
        ...(value === undefined ? {} : { value }),
      });
    }
    case 'receiver fails':
      receiver.answers.push(...Array<number>(harm.times).fill(503));
      return;
    case 'network':
      return breakWay(victim, harm);
  }
};

const end = ({ stack, network }: Victim, harm: Harm): void => {
  if (harm.kind === 'freeze') stack.kill(harm.process, 'SIGCONT');
  // Overlapping faults of one way end with the first of them that does.
  if (harm.kind === 'network') network.way(harm.process, harm.to).heal();
};

/** Does one fault and waits until it is over. */
const inject = async (victim: Victim, { harm, lastsMs }: Fault): Promise<void> => {
  await begin(victim, harm);
  if (lastsMs === 0) return;
  await pause(lastsMs);
  end(victim, harm);
};

/** When a fault was done and was over, by `Date.now()`. */
export interface DoneFault extends Fault {
  begun: number;
  ended: number;
}

/**
 * Does every fault at its time; ends when the last one is over and nothing is broken on purpose any more.
 * `tell` hears of each when it begins.
 */
export const injectAll = async (
  victim: Victim,
  faults: readonly Fault[],
  tell: (fault: Fault) => void,
): Promise<DoneFault[]> => {
  const started = Date.now();
  const done = await Promise.all(
    faults.map(async (fault) => {
      await pause(fault.at - (Date.now() - started));
      tell(fault);
      const begun = Date.now();
      await inject(victim, fault);
      return { ...fault, begun, ended: Date.now() };
    }),
  );
  victim.network.heal();
  victim.receiver.answers.length = 0;
  await victim.sandbox.clearFaults();
  return done;
};
