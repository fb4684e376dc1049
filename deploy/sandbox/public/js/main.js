import { el } from '../block-view/dist/index.js';
import { renderConversations } from './conversations.js';
import { followFeed } from './feed.js';
import { renderFaults } from './interaction/faults.js';
import { renderViews } from './interaction/views.js';
import { renderMessage } from './message.js';
import { conversationTitle, idsOf, learnNames, nameOf } from './names.js';

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
const shown = { messages: [], chosen: decodeURIComponent(location.hash.slice(1)) || null };

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
  const visible = shown.messages.filter(isVisible);
  list.replaceChildren(...visible.map((message) => renderMessage(message, personChosen)));
  renderFrame();
}

function choose(channel) {
  shown.chosen = channel;
  renderAll();
}

function add(messages) {
  shown.messages = [...messages, ...shown.messages].slice(0, KEPT);
  const items = messages.filter(isVisible).map((message) => renderMessage(message, personChosen));
  for (const item of items) item.classList.add('arriving');
  list.prepend(...items);
  while (list.childElementCount > KEPT) list.lastElementChild.remove();
  renderFrame();
}

function placeOf(message) {
  return shown.messages.findIndex(
    ({ channel, ts, workspace }) =>
      channel === message.channel && ts === message.ts && workspace === message.workspace,
  );
}

function remove(message) {
  const at = placeOf(message);
  if (at === -1) return;
  shown.messages.splice(at, 1);
  renderAll();
}

function replace(message) {
  const at = placeOf(message);
  if (at === -1) return;
  shown.messages[at] = message;
  const { channel, ts, workspace } = message;
  const old = list.querySelector(
    `[data-channel="${channel}"][data-ts="${ts}"][data-workspace="${workspace}"]`,
  );
  old?.replaceWith(renderMessage(message, personChosen));
}

/** The person as whom elements are used. */
function personChosen() {
  return part('person').value;
}

/** Offers the people of the workspace, as one of whom elements are used. */
function offerPeople() {
  const people = part('person');
  if (people.childElementCount > 0) return;
  people.replaceChildren(...idsOf('U0').map((id) => el('option', { value: id }, nameOf(id))));
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
  snapshot({ names, messages, views, methods }) {
    learnNames(names);
    offerPeople();
    if (part('faults').childElementCount === 1) renderFaults(part('faults'), methods);
    renderViews(part('views'), views);
    shown.messages = messages;
    renderAll();
  },
  posted: add,
  updated: replace,
  deleted: remove,
  views: (open) => renderViews(part('views'), open),
  cleared() {
    shown.messages = [];
    renderAll();
  },
  state: showState,
});
