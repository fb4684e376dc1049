import { renderAttachment } from './attachments.js';
import { renderBlocks } from './blocks/index.js';
import { el } from './dom.js';
import { conversationTitle } from './names.js';
import { emojiCharacter } from './text/emoji.js';
import { renderText } from './text/inline.js';
import { fullTime, shortTime } from './time.js';

const BOT_NAME = 'Stanza';

function avatarOf({ icon_emoji, icon_url }) {
  const character = emojiCharacter((icon_emoji ?? '').replaceAll(':', ''));
  if (character !== undefined)
    return el('span', { class: 'avatar avatar-emoji', 'aria-hidden': 'true' }, character);
  const own = el('img', { class: 'avatar', src: 'icon.svg', alt: '' });
  if (icon_url === null) return own;
  const picture = el('img', { class: 'avatar', src: icon_url, alt: '', referrerpolicy: 'no-referrer' });
  picture.addEventListener('error', () => picture.replaceWith(own), { once: true });
  return picture;
}

function headerOf(message, name) {
  const posted = new Date(message.posted_at);
  return el(
    'header',
    { class: 'message-header' },
    el('span', { class: 'author' }, name),
    el('span', { class: 'badge' }, 'APP'),
    el('span', { class: 'place' }, conversationTitle(message.channel)),
    el('span', { class: 'workspace' }, message.workspace),
    el('time', { class: 'posted', datetime: message.posted_at, title: fullTime(posted) }, shortTime(posted)),
    message.edits > 0 ? el('span', { class: 'faint' }, '(edited)') : undefined,
  );
}

function threadMark({ thread_ts }) {
  return thread_ts === null
    ? undefined
    : el('div', { class: 'thread-mark' }, '↳ Reply in the thread of ', el('code', {}, thread_ts));
}

function contentOf(message) {
  try {
    // As on the platform, blocks stand in for the text, which is then only the notification.
    const body =
      message.blocks.length > 0
        ? renderBlocks(message.blocks)
        : el('div', { class: 'text block' }, renderText({ type: 'mrkdwn', text: message.text }));
    return [body, message.attachments.map(renderAttachment)];
  } catch (error) {
    console.error('a message could not be drawn', message, error);
    return el(
      'div',
      { class: 'unknown-block' },
      'This message could not be drawn; its content stands under Details.',
    );
  }
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

/** Draws a message as a person would see it on the chat platform. */
export function renderMessage(message) {
  const name = message.username ?? BOT_NAME;
  return el(
    'li',
    {
      class: 'message',
      'data-place': 'message',
      'data-workspace': message.workspace,
      'data-channel': message.channel,
      'data-ts': message.ts,
    },
    el(
      'article',
      { 'aria-label': `${name} in ${conversationTitle(message.channel)}` },
      avatarOf(message),
      el(
        'div',
        { class: 'message-main' },
        headerOf(message, name),
        threadMark(message),
        contentOf(message),
        detailsOf(message),
      ),
    ),
  );
}
