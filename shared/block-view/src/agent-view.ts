import { el } from './draw/dom.ts';
import { drawMessage } from './draw/draw-message.ts';
import type { Message } from './types/surfaces.ts';

/*
 * The page that a host of agents shows next to a preview: an app of the Model Context Protocol. It speaks JSON-RPC with
 * the window around it, draws the message of the result, and neither loads nor sends anything.
 */

const appRevision = '2026-01-26';
const initializing = 1;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value is a message: the server makes it of blocks that have passed the checks of the platform. */
const isMessage = (value: unknown): value is Message => isObject(value) && Array.isArray(value.blocks);

/** The message of a tool's result. It stands apart from what the agent reads, so that its length costs no tokens. */
const messageIn = (result: unknown): Message | undefined => {
  const meta = isObject(result) ? result._meta : undefined;
  const message = isObject(meta) ? meta['stanza/message'] : undefined;
  return isMessage(message) ? message : undefined;
};

const say = (message: object): void => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');

const show = (...nodes: (Node | string)[]): void => {
  document.body.replaceChildren(...nodes);
  const { scrollWidth: width, scrollHeight: height } = document.documentElement;
  say({ method: 'ui/notifications/size-changed', params: { width, height } });
};

const draw = (result: unknown): void => {
  const message = messageIn(result);
  show(message === undefined ? el('p', {}, 'There is no message to show.') : drawMessage(message));
};

window.addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
  if (source !== window.parent || !isObject(data)) return;
  if (data.id === initializing && 'result' in data)
    say({ method: 'ui/notifications/initialized', params: {} });
  if (data.method === 'ui/notifications/tool-result') draw(data.params);
  // The host waits for both answers: before it removes the page, and when it checks that the page is alive.
  if ((data.method === 'ui/resource-teardown' || data.method === 'ping') && 'id' in data) {
    say({ id: data.id, result: {} });
  }
});

say({
  id: initializing,
  method: 'ui/initialize',
  params: {
    protocolVersion: appRevision,
    appInfo: { name: 'stanza-preview', version: '1' },
    appCapabilities: {},
  },
});
