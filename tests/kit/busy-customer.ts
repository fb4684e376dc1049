import { createDestination, createQueue, pushEvents, testDestination } from '@stanza/contracts';
import type { Api } from './api.ts';
import { WatchedStory } from './watched.ts';

/** Where a busy customer sends to. */
export interface BusyCustomer {
  /** A channel of the sandbox. */
  channel: string;
  /** Addresses of destinations. */
  urls: readonly string[];
}

/**
 * Uses everything that leaves a trace in metrics: compiles, sends, tests a destination at each address, and pushes an
 * event to a queue of the first one.
 * @throws when anything is refused
 */
export const actBusily = async (api: Api, { channel, urls }: BusyCustomer): Promise<void> => {
  const story = await WatchedStory.begin(api);
  for (const { status, text } of [await story.compile(), await story.send(channel)]) {
    if (status !== 200) throw new Error(`a busy customer was answered ${status}: ${text}`);
  }
  for (const [at, url] of urls.entries()) {
    const body = { name: `Hook ${at}`, url, auth_type: 'none' };
    const { id } = await api.ok(createDestination, { body });
    const tested = await api.ok(testDestination, { params: { id }, body: {} });
    if (!tested.success) throw new Error(`the destination ${url} was not reached`);
    if (at > 0) continue;
    const queue = { name: 'Busy', mode: 'rolling_window', window_seconds: 3_600, destination_id: id };
    const { id: queueId } = await api.ok(createQueue, { body: queue });
    await api.ok(pushEvents, { params: { id: queueId }, body: { events: [{ n: 1 }] } });
  }
};
