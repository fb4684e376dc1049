import { lockHolder } from '../directory-lock.ts';
import { StackFailure } from '../failure.ts';
import { removeInfo } from '../info.ts';
import { endLeftovers } from '../process-group.ts';
import { stillRuns } from '../process-identity.ts';
import { terminalProgress } from '../progress.ts';
import { waitUntil } from '../wait.ts';
import { homeDirectory } from './home.ts';

/** Services drain within 25 s, and there are three stages after them. */
const patienceMs = 60_000;

/** `npm stop`: stops a running stack in order, and ends the processes that a killed one left behind. */
export const stop = async (): Promise<void> => {
  const directory = homeDirectory();
  const holder = lockHolder(directory.lock);
  if (holder === undefined) {
    const ended = await endLeftovers(directory.processes);
    await removeInfo(directory.info);
    console.log(
      ended.length === 0 ? '  No stack runs.' : `  Ended the processes of a killed run: ${ended.join(', ')}.`,
    );
    return;
  }
  process.kill(holder.pid, 'SIGTERM');
  const gone = waitUntil(() => !stillRuns(holder), { timeoutMs: patienceMs });
  if (await terminalProgress().step('Stopping', gone, (ended) => (ended ? 'all processes have ended' : '')))
    return;
  throw new StackFailure(
    `The stack (process ${holder.pid}) has not ended after ${patienceMs / 1000} s.`,
    `Kill it ("kill -9 ${holder.pid}"), then run "npm stop" again for its processes.`,
  );
};
