import type { RefObject } from 'react';
import type { TemplateDocument } from '../document/document.ts';
import { below, isBlockAt } from '../document/pointer.ts';
import type { Tables } from '../document/schema.ts';
import type { Place } from '../dragging/nearest.ts';
import { useDragging } from '../dragging/use-dragging.tsx';
import type { Changed } from './changes.ts';
import { mayStand, movedTo } from './dropping.ts';

/** Parts stand in few lists: one that is further away than this, in pixels, is not meant. */
const reach = 60;

/** The places of a list: before each row, and behind the last. A list without rows has one. */
const placesOf = (list: HTMLElement): Place[] => {
  const pointer = list.dataset.list ?? '';
  const { left, width, top, height } = list.getBoundingClientRect();
  const placeAt = (at: number, y: number): Place => ({ to: below(pointer, at), y, left, width });
  if (list.localName !== 'ol') return [placeAt(0, top + height / 2)];
  const rects = [...list.children].map((row) => row.getBoundingClientRect());
  return [
    ...rects.map((rect, at) => placeAt(at, rect.top)),
    placeAt(rects.length, rects.at(-1)?.bottom ?? top),
  ];
};

/** Drags the rows of an outline: the lists in it name themselves by `data-list`, the rows by `data-pointer`. */
export const useRowDragging = (
  outline: RefObject<HTMLElement | null>,
  document: TemplateDocument,
  schema: Tables,
  onMove: (changed: Changed) => void,
) =>
  useDragging(outline, {
    of: document,
    taken: (target) => target.closest<HTMLElement>('[data-pointer]')?.dataset.pointer,
    boxes: (from) =>
      [...(outline.current?.querySelectorAll(`[data-pointer="${CSS.escape(from)}"]`) ?? [])].flatMap(
        (row) => row.closest('li') ?? [],
      ),
    places: (from, y) =>
      [...(outline.current?.querySelectorAll<HTMLElement>('[data-list]') ?? [])]
        .filter(({ dataset: { list = '' } }) => mayStand(document, from, list, schema))
        .flatMap(placesOf)
        .filter((place) => isBlockAt(from) || Math.abs(place.y - y) < reach),
    onDrop: (from, to) => onMove(movedTo(document, from, to)),
  });
