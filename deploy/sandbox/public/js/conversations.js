import { el } from '../block-view/dist/index.js';
import { conversationTitle } from './names.js';

function entry(label, count, isChosen, choose) {
  const button = el(
    'button',
    { class: 'conversation', type: 'button', 'aria-current': isChosen ? 'true' : undefined },
    el('span', { class: 'conversation-name' }, label),
    el('span', { class: 'conversation-count' }, String(count)),
  );
  button.addEventListener('click', choose);
  return el('li', {}, button);
}

/**
 * Draws the list of conversations that hold messages.
 *
 * @param {HTMLElement} list where to draw
 * @param {{channel: string}[]} messages
 * @param {string | null} chosen the channel that alone is shown; null: all
 * @param {(channel: string | null) => void} choose
 */
export function renderConversations(list, messages, chosen, choose) {
  const counts = new Map();
  for (const { channel } of messages) counts.set(channel, (counts.get(channel) ?? 0) + 1);
  // A chosen conversation stays in sight after it was cleared.
  if (chosen !== null && !counts.has(chosen)) counts.set(chosen, 0);
  const rows = [...counts]
    .toSorted(([a], [b]) => conversationTitle(a).localeCompare(conversationTitle(b)))
    .map(([channel, count]) =>
      entry(conversationTitle(channel), count, channel === chosen, () => choose(channel)),
    );
  list.replaceChildren(
    entry('All messages', messages.length, chosen === null, () => choose(null)),
    ...rows,
  );
}
