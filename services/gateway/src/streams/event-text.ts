import { z } from 'zod';

/** What a read of a stream answers; the owner of the operation has checked it. */
export const changes = z.object({
  events: z.array(z.object({ id: z.string(), data: z.unknown() })),
  position: z.string(),
  has_more: z.boolean(),
});

/** See {@link changes}. */
export type Changes = z.output<typeof changes>;

/** Content type of server-sent events. */
export const eventsType = 'text/event-stream; charset=utf-8';

/** The beginning of a stream: how soon to come back, and where it stands. */
export const openingText = (retryMs: number, position: string): string =>
  `retry: ${retryMs}\nid: ${position}\n\n`;

/** Changes as events; JSON has no line breaks of its own. */
export const eventsText = ({ events }: Changes): string =>
  events.map(({ id, data }) => `id: ${id}\ndata: ${JSON.stringify(data)}\n\n`).join('');

/** Shows that the stream lives, and where it stands: clients keep the id, and see no event. */
export const heartbeatText = (position: string): string => `id: ${position}\n\n`;

/** The last event: why the stream ends, and how soon to come back. */
export const endText = (retryMs: number, said: { reason: string } & Record<string, unknown>): string =>
  `retry: ${retryMs}\nevent: end\ndata: ${JSON.stringify(said)}\n\n`;
