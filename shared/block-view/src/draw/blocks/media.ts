import type { ViewContext } from '../../context.ts';
import type { Blocks, Video } from '../../types/blocks.ts';
import type { Picture } from '../../types/text.ts';
import { el, link, svg } from '../dom.ts';
import { drawText } from '../text.ts';

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'a file of the workspace';
}

function pictureIcon(): SVGElement {
  return svg(
    'svg',
    { class: 'placeholder-icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' },
    svg('path', {
      d: 'M4 5.5A1.5 1.5 0 0 1 5.5 4h13A1.5 1.5 0 0 1 20 5.5v13a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 18.5zm1.5 11.8 3.6-4.3 2.6 3 3.4-4.6 3.4 4.9V5.5h-13zM9 10a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3',
      fill: 'currentColor',
    }),
  );
}

/** Replaces a picture that cannot be loaded: its alternative text and the host that it would come from. */
function placeholder(alt: string, url: string, className: string): HTMLElement {
  return el(
    'div',
    { class: `placeholder ${className}`, role: 'img', 'aria-label': alt, title: `${alt} (${url})` },
    pictureIcon(),
    el('span', { class: 'placeholder-alt' }, alt),
    el('span', { class: 'placeholder-host' }, hostOf(url)),
  );
}

/** An image, or a box in its place when it cannot be loaded. */
export function drawPicture({ image_url, slack_file, alt_text }: Picture, className: string): HTMLElement {
  const url = image_url ?? slack_file?.url;
  if (url === undefined) return placeholder(alt_text, slack_file?.id ?? '', className);
  const picture = el('img', {
    class: className,
    src: url,
    alt: alt_text,
    referrerpolicy: 'no-referrer',
  });
  picture.addEventListener('error', () => picture.replaceWith(placeholder(alt_text, url, className)), {
    once: true,
  });
  return picture;
}

export function drawImage(block: Blocks['image'], context: ViewContext): HTMLElement {
  return el(
    'figure',
    { class: 'image-block' },
    block.title === undefined ? undefined : el('figcaption', {}, drawText(block.title, context)),
    drawPicture(block, 'picture'),
  );
}

export function drawVideo(video: Video, context: ViewContext): HTMLElement {
  const { title, title_url, video_url, thumbnail_url, alt_text, description } = video;
  const source = [video.author_name, video.provider_name].filter((name) => name !== undefined).join(' · ');
  return el(
    'figure',
    { class: 'video-block' },
    el(
      'figcaption',
      {},
      source === '' ? undefined : el('span', { class: 'faint' }, source),
      link(title_url ?? video_url, { class: 'video-title' }, drawText(title, context)),
      description === undefined ? undefined : el('span', {}, drawText(description, context)),
    ),
    link(
      video_url,
      { class: 'video-frame', 'aria-label': `Watch: ${alt_text}` },
      drawPicture({ image_url: thumbnail_url, alt_text }, 'picture'),
      el('span', { class: 'play', 'aria-hidden': 'true' }, '▶'),
    ),
  );
}
