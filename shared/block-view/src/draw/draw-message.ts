import type { ViewContext } from '../context.ts';
import { emojiCharacter } from '../text/emoji.ts';
import type { Message } from '../types/surfaces.ts';
import { drawAttachment } from './attachments.ts';
import { type Child, el } from './dom.ts';
import { drawEach } from './draw-blocks.ts';
import { listen } from './interaction/listen.ts';
import { drawText } from './text.ts';
import { fullTime, shortTime } from './time.ts';

/** What a page adds to a message. */
export interface MessageFrame {
  /** The message's accessible name. Default: the author. */
  readonly label?: string;
  /** Stands in the heading, behind the author. */
  readonly heading?: Child;
  /** Stands between the heading and the content. */
  readonly above?: Child;
  /** Stands below the content. */
  readonly below?: Child;
}

function drawAvatar({ icon_emoji, icon_url }: Message, { authorIcon }: ViewContext): HTMLElement {
  const character = emojiCharacter((icon_emoji ?? '').replaceAll(':', ''));
  if (character !== undefined)
    return el('span', { class: 'avatar avatar-emoji', 'aria-hidden': 'true' }, character);
  const own =
    authorIcon === undefined
      ? el('span', { class: 'avatar avatar-emoji', 'aria-hidden': 'true' })
      : el('img', { class: 'avatar', src: authorIcon, alt: '' });
  if (icon_url === undefined || icon_url === null) return own;
  const picture = el('img', { class: 'avatar', src: icon_url, alt: '', referrerpolicy: 'no-referrer' });
  picture.addEventListener('error', () => picture.replaceWith(own), { once: true });
  return picture;
}

function drawPosted(postedAt: string | undefined, context: ViewContext): Child {
  if (postedAt === undefined) return undefined;
  const posted = new Date(postedAt);
  return el(
    'time',
    { class: 'posted', datetime: postedAt, title: fullTime(posted, context) },
    shortTime(posted, context),
  );
}

/** The content: as on the platform, blocks stand in for the text, which is then only the notification. */
function drawContent({ blocks = [], text = '', attachments = [] }: Message, context: ViewContext): Child {
  const body =
    blocks.length > 0
      ? drawEach(blocks, context)
      : el('div', { class: 'text block' }, drawText({ type: 'mrkdwn', text }, context));
  return [body, attachments.map((attachment) => drawAttachment(attachment, context))];
}

/**
 * Draws a message as a person would see it on the chat platform, and reports the use of its elements.
 *
 * @param frame what the page adds to it
 */
export function drawMessage(
  message: Message,
  context: ViewContext = {},
  frame: MessageFrame = {},
): HTMLElement {
  const author = message.username ?? context.author ?? 'App';
  const header = el(
    'header',
    { class: 'message-header' },
    el('span', { class: 'author' }, author),
    el('span', { class: 'badge' }, 'APP'),
    frame.heading,
    drawPosted(message.posted_at, context),
    (message.edits ?? 0) > 0 ? el('span', { class: 'faint' }, '(edited)') : undefined,
  );
  const article = el(
    'article',
    { class: 'message', 'aria-label': frame.label ?? author },
    drawAvatar(message, context),
    el('div', { class: 'message-main' }, header, frame.above, drawContent(message, context), frame.below),
  );
  return listen(el('div', { class: 'block-view' }, article), context);
}
