/**
 * Draws messages, blocks and modals in a page, out of DOM nodes alone: safe under a strict content policy and Trusted Types.
 */

export type {
  Action,
  Choices,
  ElementValue,
  Interaction,
  ViewContext,
  ViewState,
} from './context.ts';
export { drawnLeafTypes } from './draw/blocks/rich-text.ts';
export { type Child, el } from './draw/dom.ts';
export { drawBlocks, drawnBlockTypes } from './draw/draw-blocks.ts';
export { drawMessage, type MessageFrame } from './draw/draw-message.ts';
export { drawModal, type ModalContext } from './draw/draw-modal.ts';
export { drawnElementTypes } from './draw/elements.ts';
export type { AnyBlock, Block, BlockType } from './types/blocks.ts';
export type { BlockElement, ElementType } from './types/elements.ts';
export type { Attachment, Message, Modal } from './types/surfaces.ts';
export type { RichText, TextObject } from './types/text.ts';
export { withoutPictures } from './without-pictures.ts';
