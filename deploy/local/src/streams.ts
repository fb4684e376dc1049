import { streamKeeper } from '@stanza/contracts';
import { connectBroker, StreamKeeper, silentLogger, streamSettings } from '@stanza/runtime';
import { messageOf, StackFailure } from './failure.ts';
import type { NatsAddress } from './nats/address.ts';
import { waitUntil } from './wait.ts';

/** Milliseconds to wait until streams and consumers exist; a NATS that cannot hold them says so again and again. */
const patienceMs = 90_000;

/** Copies of each stream, from the setting of the process `streams`; a StackFailure when invalid. */
export const streamReplicas = (text: string | undefined): number => {
  const parsed = streamSettings.STANZA_STREAM_REPLICAS.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new StackFailure(
    `STANZA_STREAM_REPLICAS is ${JSON.stringify(text)}, which is not a number of copies.`,
    'Give a whole number that is at most the number of NATS nodes, or unset it.',
  );
};

/** The broker and the user of the streams, and the copies of each. */
export interface StreamOptions extends NatsAddress {
  replicas: number;
  /** Aborts the wait. */
  signal: AbortSignal;
}

/**
 * Creates the streams and consumers of the services in this process, and restores them whenever NATS has lost them.
 * @returns a function that stops it
 */
export const keepStreams = async ({
  replicas,
  signal,
  ...address
}: StreamOptions): Promise<() => Promise<void>> => {
  const log = silentLogger();
  const broker = await connect(address);
  const keeper = new StreamKeeper({ broker, log, replicas });
  keeper.start();
  const end = async () => {
    await keeper.stop();
    await broker.close();
  };
  await waitUntil(() => keeper.isComplete || signal.aborted, { timeoutMs: patienceMs });
  if (keeper.isComplete && !signal.aborted) return end;
  await end();
  const { trouble } = keeper;
  throw new StackFailure(
    `The streams of the services cannot be created${trouble === undefined ? '' : `: ${messageOf(trouble)}`}.`,
    'NATS must have JetStream, as many nodes as STANZA_STREAM_REPLICAS says, and give the user of NATS_URL the right to create streams.',
    { cause: trouble },
  );
};

const connect = async (address: NatsAddress) => {
  try {
    return await connectBroker({ ...address, caller: streamKeeper, log: silentLogger(), patienceMs: 5_000 });
  } catch (error) {
    throw new StackFailure(
      `NATS cannot be used: ${messageOf(error)}`,
      'Check the address of NATS_URL, its user and its password, or unset it.',
      { cause: error },
    );
  }
};
