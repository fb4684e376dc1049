import type { Request, Response } from 'express';
import { type PresentedMessage, presentMessage } from '../control/present-message.ts';
import { methods } from '../web-api/methods/index.ts';
import { viewReply } from '../web-api/view-content.ts';
import { allConversations, allUsers } from '../world/directory.ts';
import type { Message } from '../world/message.ts';
import type { World } from '../world/world.ts';

/** Messages that a page shows at most. */
const SHOWN = 100;
/** Milliseconds for which messages gather before they are sent together, so that a bench does not flood the page. */
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
 * Streams posted messages as server-sent events: `snapshot` first (`{names, messages}`, newest first), then `posted`
 * with the messages since the last event, newest first, `updated` with a message that was changed, `deleted` with one
 * that was taken out, `views` with those that are open, and `cleared`.
 */
export function openFeed(request: Request, response: Response, { messages: store, views }: World): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  const messages: PresentedMessage[] = Array.from(store.newestFirst()).slice(0, SHOWN).map(presentMessage);
  const openViews = () => views.list().map((view) => ({ ...viewReply(view), user: view.user }));
  send(response, 'snapshot', { names: names(), messages, views: openViews(), methods: [...methods.keys()] });
  let gathered: Message[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    send(response, 'posted', gathered.slice(-SHOWN).reverse().map(presentMessage));
    gathered = [];
  };
  const leave = store.listen((message, change) => {
    if (message === null) {
      gathered = [];
      send(response, 'cleared', {});
      return;
    }
    if (change === 'deleted') {
      gathered = gathered.filter(({ ts }) => ts !== message.ts);
      send(response, 'deleted', presentMessage(message));
      return;
    }
    if (message.edits > 0) {
      send(response, 'updated', presentMessage(message));
      return;
    }
    gathered.push(message);
    if (gathered.length > SHOWN * 2) gathered = gathered.slice(-SHOWN);
    timer ??= setTimeout(flush, GATHER_MS);
  });
  const leaveViews = views.listen(() => send(response, 'views', openViews()));
  request.once('close', () => {
    leave();
    leaveViews();
    clearTimeout(timer);
  });
}
