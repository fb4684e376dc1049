import { renderConversations } from './conversations.js';
import { followFeed } from './feed.js';
import { renderMessage } from './message.js';
import { conversationTitle, learnNames } from './names.js';

/** Messages that stay on the page. */
const KEPT = 200;

const part = (id) => document.getElementById(id);
const [list, conversations, title, count, status, empty] = [
  'messages',
  'conversations',
  'title',
  'count',
  'status',
  'empty',
].map(part);

/** What is shown: messages newest first, and the one conversation that is looked at (null: all). */
const shown = { messages: [], chosen: null };

function isVisible({ channel }) {
  return shown.chosen === null || channel === shown.chosen;
}

function renderFrame() {
  const visible = shown.messages.filter(isVisible).length;
  renderConversations(conversations, shown.messages, shown.chosen, choose);
  title.textContent = shown.chosen === null ? 'All messages' : conversationTitle(shown.chosen);
  count.textContent = visible === 0 ? '' : String(visible);
  empty.hidden = visible > 0;
}

function renderAll() {
  list.replaceChildren(...shown.messages.filter(isVisible).map(renderMessage));
  renderFrame();
}

function choose(channel) {
  shown.chosen = channel;
  renderAll();
}

function add(messages) {
  shown.messages = [...messages, ...shown.messages].slice(0, KEPT);
  const items = messages.filter(isVisible).map(renderMessage);
  for (const item of items) item.classList.add('arriving');
  list.prepend(...items);
  while (list.childElementCount > KEPT) list.lastElementChild.remove();
  renderFrame();
}

function showState(state) {
  status.dataset.state = state;
  status.textContent = state === 'live' ? 'Live' : 'Connecting again';
}

part('try-command').textContent = [
  `curl ${location.origin}/api/chat.postMessage \\`,
  "  -H 'Authorization: Bearer xoxb-sandbox-demo' \\",
  "  -d channel=C0GENERAL -d text='Hello, *world* :wave:'",
].join('\n');

part('clear').addEventListener('click', () => fetch('control/messages', { method: 'DELETE' }));

followFeed({
  snapshot({ names, messages }) {
    learnNames(names);
    shown.messages = messages;
    renderAll();
  },
  posted: add,
  cleared() {
    shown.messages = [];
    renderAll();
  },
  state: showState,
});
