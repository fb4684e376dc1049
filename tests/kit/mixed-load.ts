import { v7 } from 'uuid';
import type { LoadKind } from './steady-load.ts';
import { deployBlocks } from './templates.ts';

/** A channel takes about a message a second, so each send goes to the next of these. */
const channelAt = (index: number): string => `C${1_100 + (index % 800)}`;

/** Messages of a bulk send, and events of a push. */
export const messagesOfBulk = 3;
export const eventsOfPush = 2;

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/**
 * What integrators do all day, with and without keys. Sends go to the channels C1100–C1899, so nothing else of the
 * same sandbox may.
 */
export const mixedLoad = (templateId: string, queueId: string): LoadKind[] => {
  const compiled = () => ({ template_id: templateId, data: { service: 'api', version: v7() } });
  const compile = () => ({ method: 'POST', path: '/v1/templates/compile', body: compiled() });
  const send = (index: number) => ({
    method: 'POST',
    path: '/v1/templates/send',
    body: { ...compiled(), channel_id: channelAt(index) },
  });
  const destinationsOf = (index: number) =>
    upTo(messagesOfBulk).map((at) => ({ channel_id: channelAt(400 + messagesOfBulk * index + at) }));
  return [
    { name: 'compile', everyMs: 60, make: compile },
    { name: 'keyed compile', everyMs: 100, make: () => ({ ...compile(), key: v7() }) },
    { name: 'send', everyMs: 150, make: (index) => send(2 * index) },
    { name: 'keyed send', everyMs: 150, make: (index) => ({ ...send(2 * index + 1), key: v7() }) },
    {
      name: 'keyed bulk',
      everyMs: 500,
      make: (index) => ({
        method: 'POST',
        path: '/v1/templates/send-bulk',
        body: { ...compiled(), destinations: destinationsOf(index) },
        key: v7(),
      }),
    },
    {
      name: 'push',
      everyMs: 200,
      make: () => ({
        method: 'POST',
        path: `/v1/queues/${queueId}/events`,
        body: { events: upTo(eventsOfPush).map(() => ({ id: v7() })) },
      }),
    },
    {
      name: 'read',
      everyMs: 80,
      make: (index) => ({
        method: 'GET',
        path:
          ['/v1/templates', '/v1/messages', '/v1/auth/validate', `/v1/queues/${queueId}`][index % 4] ?? '',
      }),
    },
    {
      name: 'author',
      everyMs: 700,
      make: () => ({
        method: 'POST',
        path: '/v1/templates',
        body: { name: `Template ${v7()}`, blocks: deployBlocks },
      }),
    },
  ];
};
