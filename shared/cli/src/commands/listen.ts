import { createHmac } from 'node:crypto';
import { nearestName } from '@stanza/engine';
import type { Destination, Stanza } from '@stanza/sdk';
import { NewDeliveries } from '../new-deliveries.ts';
import { CommandProblem, faultIn } from '../problem.ts';
import type { Setting } from '../setting.ts';
import type { AddCommand } from './command.ts';

/** Milliseconds between two looks at the deliveries. */
const pauseMs = 2_000;

/** Milliseconds that the receiver has for its answer. */
const answerMs = 10_000;

const findDestination = async (stanza: Stanza, key: string): Promise<Destination> => {
  const keys: string[] = [];
  for await (const destination of stanza.destinations.list()) {
    if (destination.key === key) return destination;
    keys.push(destination.key);
  }
  const near = nearestName(key, keys);
  throw new CommandProblem(
    `There is no destination ${key}${near ? `; did you mean ${near}?` : '.'}`,
    'Name it by its key.',
  );
};

/** What became of a delivery at the receiver. */
interface Forwarded {
  readonly delivery_id: string;
  readonly origin: string;
  /** Undefined where no answer came. */
  readonly status?: number;
  readonly error?: string;
}

const forward = async (
  stanza: Stanza,
  url: string,
  { id: destinationId, method }: Destination,
  deliveryId: string,
): Promise<Forwarded> => {
  const [{ payload, origin }, { secret }] = await Promise.all([
    stanza.destinations.deliveries.get(destinationId, deliveryId),
    stanza.destinations.signingSecret.get(destinationId),
  ]);
  const sample = { delivery_id: deliveryId, origin };
  try {
    const { status } = await fetch(url, {
      method,
      headers: signedHeaders(secret, { id: deliveryId, payload, at: new Date() }),
      body: payload,
      // As a delivery, which counts a redirect as a failure.
      redirect: 'manual',
      signal: AbortSignal.timeout(answerMs),
    });
    return { ...sample, status };
  } catch (error) {
    return { ...sample, error: faultIn(error) };
  }
};

const lineOf = ({ style, options }: Setting, forwarded: Forwarded): string => {
  if (options.json) return JSON.stringify(forwarded);
  const { delivery_id, origin, status, error } = forwarded;
  const line = `${delivery_id}  ${origin}  ${status ?? error}`;
  return status !== undefined && status < 300 ? style.good(line) : style.bad(line);
};

/** Forwards each delivery that begins from now on, oldest first, until interrupted. */
const listen = async (setting: Setting, key: string, url: string): Promise<void> => {
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new CommandProblem(`${url} is no address.`, 'Name one as http://localhost:3000/stanza.');
  const stanza = await setting.stanza();
  const destination = await findDestination(stanza, key);
  const { id } = destination;
  const { signal, sleep, out, note } = setting.terminal;
  const pageAt = async (offset: number) =>
    (await stanza.destinations.deliveries.list(id, { limit: NewDeliveries.pageLimit, offset }).page()).data;
  const deliveries = await NewDeliveries.from(pageAt);
  note(`listening to ${key}: interrupt to end`);
  while (!signal.aborted) {
    for (const deliveryId of await deliveries.poll())
      out(lineOf(setting, await forward(stanza, url, destination, deliveryId)));
    await sleep(pauseMs);
  }
};

/** `stanza listen`. */
export const addListen: AddCommand = (program, setting) =>
  program
    .command('listen')
    .description('forward the deliveries of a destination to an address of yours, with valid signatures')
    .argument('<destination>', 'the key of the destination')
    .requiredOption('--forward <address>', 'as http://localhost:3000/stanza')
    .action((key: string, { forward: url }: { forward: string }) => listen(setting(), key, url));

/** The headers with which Stanza signs a payload, after Standard Webhooks. */
export const signedHeaders = (
  secret: string,
  { id, payload, at }: { id: string; payload: string; at: Date },
): Record<string, string> => {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${payload}`).digest('base64');
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
};
