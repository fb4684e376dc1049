import { drawMessage, el } from '../block-view/dist/index.js';
import { send } from './interaction/send.js';
import { conversationTitle, knownNames } from './names.js';

const BOT_NAME = 'Stanza';

function threadMark({ thread_ts }) {
  return thread_ts === null
    ? undefined
    : el('div', { class: 'thread-mark' }, '↳ Reply in the thread of ', el('code', {}, thread_ts));
}

function fact(name, value) {
  return [el('dt', {}, name), el('dd', {}, el('code', {}, value))];
}

function detailsOf(message) {
  const { channel, ts, key, text, metadata, blocks } = message;
  const facts = el(
    'dl',
    { class: 'facts' },
    fact('Channel', channel),
    fact('Timestamp', ts),
    key === null ? undefined : fact('Key', key),
    blocks.length > 0 && text !== '' ? [el('dt', {}, 'Notification'), el('dd', {}, text)] : undefined,
  );
  const json = (title, value) => [el('h4', {}, title), el('pre', {}, JSON.stringify(value, null, 2))];
  const details = el('details', { class: 'details' }, el('summary', {}, 'Details'));
  // Filled when opened, so that a hundred messages do not carry their JSON twice.
  details.addEventListener(
    'toggle',
    () =>
      details.append(
        facts,
        ...(metadata === null ? [] : json('Metadata', metadata)),
        ...json('Blocks', blocks),
      ),
    { once: true },
  );
  return details;
}

/** Draws a message as a person would see it on the chat platform; `personChosen` says as whom its elements are used. */
export function renderMessage(message, personChosen) {
  const { channel, ts, workspace } = message;
  const title = conversationTitle(channel);
  const context = {
    ...knownNames(),
    author: BOT_NAME,
    authorIcon: 'icon.svg',
    onAction: (use) => send('action', { workspace, channel, ts, user: personChosen(), ...use }),
  };
  const drawn = drawMessage(message, context, {
    label: `${message.username ?? BOT_NAME} in ${title}`,
    heading: [el('span', { class: 'place' }, title), el('span', { class: 'workspace' }, workspace)],
    above: threadMark(message),
    below: detailsOf(message),
  });
  return el('li', { 'data-workspace': workspace, 'data-channel': channel, 'data-ts': ts }, drawn);
}
