import type { RefObject } from 'react';
import type { TemplateDocument } from '../document/document.ts';
import { below, stepsOf } from '../document/pointer.ts';
import { rowOfDrawn, rowsOf } from '../document/rows.ts';
import type { Changed } from '../outline/changes.ts';
import { movedTo } from '../outline/dropping.ts';
import type { Place } from './nearest.ts';
import { useDragging } from './use-dragging.tsx';

/** What is drawn, and what a move makes of it. */
export interface Moving {
  readonly document: TemplateDocument;
  readonly onMove: (changed: Changed) => void;
}

const drawn = '[data-block-id]';

/** The blocks of a drawn message, without those inside of others. */
export const drawnBlocks = (surface: Element | null): HTMLElement[] =>
  [...(surface?.querySelectorAll<HTMLElement>(drawn) ?? [])].filter(
    (box) => !box.parentElement?.closest(drawn),
  );

/** Whether a press is on words, which it marks. */
const isOnText = (target: Element, { clientX, clientY }: MouseEvent): boolean =>
  [...target.childNodes].some((node) => {
    if (!(node instanceof Text)) return false;
    const range = new Range();
    range.selectNodeContents(node);
    return [...range.getClientRects()].some(
      ({ left, right, top, bottom }) =>
        clientX >= left && clientX <= right && clientY >= top && clientY <= bottom,
    );
  });

/** Drags drawn blocks. What a loop or a condition draws moves with it, as one. */
export const useDrawnDragging = (surface: RefObject<HTMLElement | null>, moving: Moving | undefined) => {
  const { document, onMove } = moving ?? {};
  const rows = rowsOf(document?.blocks);
  const placeOfDrawn = ({ dataset: { blockId = '' } }: HTMLElement): number | undefined => {
    const row = rowOfDrawn(rows, blockId);
    return row && Number(stepsOf(row.pointer)[1]);
  };
  return useDragging(surface, {
    of: document,
    taken: (target, press) => {
      if (isOnText(target, press)) return undefined;
      const box = drawnBlocks(surface.current).find((it) => it.contains(target));
      const at = box && placeOfDrawn(box);
      return at === undefined || target.closest('input, select, textarea') ? undefined : below('/blocks', at);
    },
    boxes: (from) =>
      drawnBlocks(surface.current).filter((box) => placeOfDrawn(box) === Number(stepsOf(from)[1])),
    places: () => {
      const boxes = Map.groupBy(drawnBlocks(surface.current), placeOfDrawn);
      return [...boxes].flatMap(([at, [first, ...others]]): Place[] => {
        if (at === undefined || first === undefined) return [];
        const { left, width, top } = first.getBoundingClientRect();
        const { bottom } = (others.at(-1) ?? first).getBoundingClientRect();
        return [
          { to: below('/blocks', at), y: top, left, width },
          { to: below('/blocks', at + 1), y: bottom, left, width },
        ];
      });
    },
    onDrop: (from, to) => document && onMove?.(movedTo(document, from, to)),
  });
};
