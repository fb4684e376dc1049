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

/** `npm stop`: ends a running stack in order, and what a killed one left behind. */
export const stop = async (): Promise<void> => {
  const directory = homeDirectory();
  const holder = lockHolder(directory.lock);
  if (holder === undefined) {
    const ended = await endLeftovers(directory.processes);
    await removeInfo(directory.info);
    console.log(
      ended.length === 0 ? '  Nothing runs.' : `  Ended what a killed run had left: ${ended.join(', ')}.`,
    );
    return;
  }
  process.kill(holder.pid, 'SIGTERM');
  const gone = waitUntil(() => !stillRuns(holder), { timeoutMs: patienceMs });
  if (await terminalProgress().step('Stopping', gone, (ended) => (ended ? 'everything is down' : ''))) return;
  throw new StackFailure(
    `The stack (process ${holder.pid}) has not ended after ${patienceMs / 1000} s.`,
    `End it by force ("kill -9 ${holder.pid}"), then run "npm stop" again for what it leaves.`,
  );
};
