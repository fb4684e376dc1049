import { type PointerEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { isOwnPlace } from '../outline/dropping.ts';
import styles from './dragging.module.css';
import { followPointer } from './follow-pointer.ts';
import { nearestTo, type Place } from './nearest.ts';

/** What can be dragged on a surface. */
export interface Draggable {
  /** What is dragged, as it is now: a change of it ends the drag. */
  of: unknown;
  /** The pointer of the block that a press there takes up. */
  taken: (target: Element, press: MouseEvent) => string | undefined;
  /** What is drawn of a block. */
  boxes: (from: string) => readonly Element[];
  /** Where a block may be dropped, as the screen is now. */
  places: (from: string, y: number) => readonly Place[];
  onDrop: (from: string, to: string) => void;
}

/** A touch anywhere else scrolls the page. */
const handle = '[data-handle]';

/** Pixels next to a surface that still belong to it. */
const around = 72;

const isOver = (surface: Element, x: number, y: number): boolean => {
  const { left, right, top, bottom } = surface.getBoundingClientRect();
  return x > left - around && x < right + around && y > top - around && y < bottom + around;
};

/** Drags blocks by mouse, pen and touch; a line shows where the block lands. */
export const useDragging = (
  surface: RefObject<HTMLElement | null>,
  { of, taken, boxes, places, onDrop }: Draggable,
): { onPointerDown: (event: PointerEvent) => void; line: ReactNode } => {
  const [target, aim] = useState<Place>();
  const stop = useRef<() => void>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the pointers are those of what was dragged
  useEffect(() => () => stop.current?.(), [of]);
  const onPointerDown = ({ nativeEvent: event }: PointerEvent): void => {
    const { current } = surface;
    const { target: pressed, pointerType, isPrimary, button, ctrlKey } = event;
    // With Ctrl, a press asks for a menu on some systems.
    const isPress = isPrimary && button === 0 && !ctrlKey;
    if (!(pressed instanceof Element) || current === null || !isPress) return;
    if (pointerType !== 'mouse' && pressed.closest(handle) === null) return;
    const from = taken(pressed, event);
    if (from === undefined) return;
    let aimed: Place | undefined;
    const mark = (isDragged: boolean): void => {
      current.toggleAttribute('data-dragging', isDragged);
      for (const box of boxes(from)) box.toggleAttribute('data-dragged', isDragged);
    };
    stop.current?.();
    stop.current = followPointer(current, event, {
      begin: () => mark(true),
      move: (x, y) => {
        const nearest = isOver(current, x, y) ? nearestTo(places(from, y), y) : undefined;
        aimed = nearest && !isOwnPlace(from, nearest.to) ? nearest : undefined;
        aim(aimed);
      },
      drop: () => aimed && onDrop(from, aimed.to),
      end: () => {
        mark(false);
        aim(undefined);
      },
    });
  };
  const line = target && (
    <div className={styles.line} style={{ top: target.y, left: target.left, width: target.width }} />
  );
  return { onPointerDown, line };
};
