import '@stanza/block-view/styles/block-view.css';
import { type AnyBlock, drawMessage, drawModal, type Modal } from '@stanza/block-view';
import { useEffect, useRef } from 'react';
import styles from './drawn.module.css';

const isBlock = (value: unknown): value is AnyBlock =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const picture =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 9%22%3E%3Crect width=%2216%22 height=%229%22 fill=%22%23b9b2d6%22/%3E%3C/svg%3E';

/** Blocks with a plain picture in the place of each that lies elsewhere: a page that shows many loads nothing. */
export const withoutPictures = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutPictures);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      typeof inner === 'string' && /(image|thumbnail|icon|thumb)_url$/.test(key)
        ? picture
        : withoutPictures(inner),
    ]),
  );
};

/** A message as the chat platform shows it; it is a picture, so nothing in it can be used. */
export const DrawnMessage = ({ blocks, author }: { blocks: unknown; author?: string }) => {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const drawn = Array.isArray(blocks) ? blocks.filter(isBlock) : [];
    ref.current?.replaceChildren(drawMessage({ blocks: drawn }, author === undefined ? {} : { author }));
  }, [blocks, author]);
  return <div ref={ref} className={styles.drawn} inert />;
};

/** A view of a modal as the chat platform shows it. */
export const DrawnModal = ({ view }: { view: Omit<Modal, 'blocks'> & { blocks: readonly unknown[] } }) => {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(
    () => ref.current?.replaceChildren(drawModal({ ...view, blocks: view.blocks.filter(isBlock) })),
    [view],
  );
  return <div ref={ref} className={styles.drawn} inert />;
};
