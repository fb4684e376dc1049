import { emptyDirectory, prepareDirectory, type StackDirectory } from '../directory.ts';
import { StackFailure } from '../failure.ts';
import { portOwner } from '../port-owner.ts';
import { defaultPort, isRefusedByFetch, portTrouble } from '../ports.ts';
import { endLeftovers } from '../process-group.ts';

/** Options of every start, in the foreground and in the background, built or from sources. */
export interface StartOptions {
  port: number;
  fresh: boolean;
}

/**
 * Prepares the folder for a start by `npm <command>`: ends the processes that a killed run left behind, checks
 * the port, and deletes the data on request.
 */
export const prepareStart = async (
  command: string,
  { port, fresh }: StartOptions,
  directory: StackDirectory,
): Promise<void> => {
  await prepareDirectory(directory);
  await endLeftovers(directory.processes);
  await checkPort(command, port);
  if (fresh) {
    await emptyDirectory(directory);
    await prepareDirectory(directory);
  }
};

const checkPort = async (command: string, port: number): Promise<void> => {
  const trouble = await portTrouble(port);
  if (trouble === undefined) {
    // To ask `fetch` loads it, which takes 50 ms.
    if (port === 0 || port === defaultPort || !(await isRefusedByFetch(port))) return;
    throw new StackFailure(
      `Browsers and Node refuse to call port ${port}, which belongs to another protocol.`,
      `Choose another one: npm ${command} -- --port ${defaultPort}`,
    );
  }
  if (trouble === 'EACCES') {
    throw new StackFailure(
      `Port ${port} is not open to your user.`,
      `Choose one above 1023: npm ${command} -- --port ${defaultPort}`,
    );
  }
  throw new StackFailure(
    `Port ${port} is taken by ${portOwner(port) ?? 'another process'}.`,
    `Stop that process, or choose another port: npm ${command} -- --port 0 takes any free port.`,
  );
};
