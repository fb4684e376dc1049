/**
 * Ends the children of a dead parent. Reads from its standard input which processes exist (`hold <pid> <signal>`,
 * `release <pid>`). When the input ends because the parent has died, it signals the remaining ones.
 */
import { createInterface } from 'node:readline';
import { codeOf } from './failure.ts';

const held = new Map<number, string>();

for await (const line of createInterface({ input: process.stdin })) {
  const [verb, pid, signal] = line.split(' ');
  if (verb === 'hold' && signal !== undefined) held.set(Number(pid), signal);
  if (verb === 'release') held.delete(Number(pid));
}

for (const [pid, signal] of held) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') console.error(`Could not end process ${pid}:`, error);
  }
}
