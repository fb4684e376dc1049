import type { Request, Response } from 'express';
import { type PresentedMessage, presentMessage } from '../control/present-message.ts';
import { allConversations, allUsers } from '../world/directory.ts';
import type { Message } from '../world/message.ts';
import type { MessageStore } from '../world/message-store.ts';

/** Messages that a page shows at most. */
const SHOWN = 100;
/** How long messages gather before they are sent together, in milliseconds, so that a bench does not drown the page. */
const GATHER_MS = 150;

function names(): Record<string, string> {
  const channels = Array.from(allConversations(), ({ id, name }) => [id, name]);
  const users = allUsers().map(({ id, realName }) => [id, realName]);
  return Object.fromEntries([...channels, ...users]);
}

function send(response: Response, event: string, data: unknown): void {
  response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

/**
 * Streams what is posted as server-sent events: `snapshot` first (`{names, messages}`, newest first), then `posted` with
 * the messages since the last event, newest first, and `cleared`.
 */
export function openFeed(request: Request, response: Response, store: MessageStore): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  const messages: PresentedMessage[] = Array.from(store.newestFirst()).slice(0, SHOWN).map(presentMessage);
  send(response, 'snapshot', { names: names(), messages });
  let gathered: Message[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    send(response, 'posted', gathered.slice(-SHOWN).reverse().map(presentMessage));
    gathered = [];
  };
  const leave = store.listen((message) => {
    if (message === null) {
      gathered = [];
      send(response, 'cleared', {});
      return;
    }
    gathered.push(message);
    if (gathered.length > SHOWN * 2) gathered = gathered.slice(-SHOWN);
    timer ??= setTimeout(flush, GATHER_MS);
  });
  request.once('close', () => {
    leave();
    clearTimeout(timer);
  });
}
