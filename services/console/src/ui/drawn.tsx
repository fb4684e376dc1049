import '@stanza/block-view/styles/block-view.css';
import { type AnyBlock, drawMessage, drawModal, type Modal } from '@stanza/block-view';
import { useLayoutEffect, useRef } from 'react';
import styles from './drawn.module.css';

/** Stands for the picture that the app has in the chat, which the console does not know. */
export const appIcon = '/console/icon.svg';

const isBlock = (value: unknown): value is AnyBlock =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** A message as the chat platform shows it; it is a picture, so nothing in it can be used. */
export const DrawnMessage = ({ blocks, author }: { blocks: unknown; author?: string }) => {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const drawn = Array.isArray(blocks) ? blocks.filter(isBlock) : [];
    const context = { authorIcon: appIcon, ...(author !== undefined && { author }) };
    ref.current?.replaceChildren(drawMessage({ blocks: drawn }, context));
  }, [blocks, author]);
  return <div ref={ref} className={styles.drawn} inert />;
};

/** A view of a modal as the chat platform shows it. */
export const DrawnModal = ({ view }: { view: Omit<Modal, 'blocks'> & { blocks: readonly unknown[] } }) => {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(
    () => ref.current?.replaceChildren(drawModal({ ...view, blocks: view.blocks.filter(isBlock) })),
    [view],
  );
  return <div ref={ref} className={styles.drawn} inert />;
};
