/** What happens while a pointer drags something. */
export interface Following {
  begin: () => void;
  /** The pointer is there now, or the page has moved below it. */
  move: (x: number, y: number) => void;
  drop: () => void;
  /** It is over, with or without a drop. */
  end: () => void;
}

/** Pixels that a press may tremble without becoming a movement. */
const trembling = 5;

/** Pixels at the edge of what scrolls, and how many a frame scrolls there at most. */
const edge = 88;
const fastest = 14;

/** What scrolls an element: an ancestor, or the page. */
const scrollerOf = (element: Element | null): Element => {
  if (element === null) return document.scrollingElement ?? document.documentElement;
  const { overflowY } = getComputedStyle(element);
  const isScroller = /auto|scroll/.test(overflowY) && element.scrollHeight > element.clientHeight;
  return isScroller ? element : scrollerOf(element.parentElement);
};

/** Pixels at the top that the head of the page covers. */
const head = 64;

/** How far a frame scrolls for a pointer at a height: no further than the end of the surface. */
const paceAt = (scroller: Element, surface: Element, y: number): number => {
  const seen = scroller.getBoundingClientRect();
  const { top, bottom } = surface.getBoundingClientRect();
  const [first, last] = [Math.max(seen.top, 0), Math.min(seen.bottom, window.innerHeight)];
  const above = first + edge - y;
  const beneath = y - (last - edge);
  if (above > 0) return top < first + head ? -Math.min(above / 4, fastest) : 0;
  return beneath > 0 && bottom > last ? Math.min(beneath / 4, fastest) : 0;
};

const stopEvent = (event: Event): void => {
  event.preventDefault();
  event.stopPropagation();
};

/**
 * Follows the pointer of a press until it is lifted. A press that moves drags: nothing is marked or clicked by it, Escape
 * ends it without a drop, and at the edge of what scrolls it scrolls.
 * @returns what ends it
 */
export const followPointer = (surface: HTMLElement, start: PointerEvent, on: Following): (() => void) => {
  const press = new AbortController();
  const drag = new AbortController();
  let at = { x: start.clientX, y: start.clientY };
  let isDragging = false;
  let frame = 0;
  const end = (): void => {
    if (drag.signal.aborted) return;
    drag.abort();
    cancelAnimationFrame(frame);
    if (isDragging) on.end();
  };
  const begin = (): void => {
    isDragging = true;
    surface.setPointerCapture(start.pointerId);
    window.getSelection()?.removeAllRanges();
    window.addEventListener('click', stopEvent, { capture: true, signal: press.signal });
    window.addEventListener('selectstart', stopEvent, { capture: true, signal: drag.signal });
    on.begin();
    const scroller = scrollerOf(surface);
    const scroll = (): void => {
      const pace = paceAt(scroller, surface, at.y);
      if (pace !== 0) scroller.scrollBy({ top: pace, behavior: 'instant' });
      frame = requestAnimationFrame(scroll);
    };
    scroll();
  };
  const isOther = ({ pointerId }: PointerEvent): boolean => pointerId !== start.pointerId;
  const onMove = (event: PointerEvent): void => {
    if (isOther(event)) return;
    // It was lifted where the page could not see it: in a menu, in another window.
    if (event.buttons === 0) {
      onLift(event);
      return;
    }
    at = { x: event.clientX, y: event.clientY };
    if (!isDragging) {
      if (Math.hypot(at.x - start.clientX, at.y - start.clientY) < trembling) return;
      begin();
    }
    on.move(at.x, at.y);
  };
  const onLift = (event: PointerEvent): void => {
    if (isOther(event)) return;
    if (isDragging && !drag.signal.aborted && event.type === 'pointerup') on.drop();
    end();
    // The click of this press comes first.
    setTimeout(() => press.abort());
  };
  const onKey = (event: KeyboardEvent): void => {
    if (!isDragging || event.key !== 'Escape') return;
    stopEvent(event);
    end();
  };
  const dragged = { capture: true, signal: drag.signal };
  window.addEventListener('pointermove', onMove, dragged);
  window.addEventListener('keydown', onKey, dragged);
  // A long touch of a handle asks for a menu before it moves.
  window.addEventListener('contextmenu', stopEvent, dragged);
  window.addEventListener('dragstart', stopEvent, dragged);
  window.addEventListener('scroll', () => isDragging && on.move(at.x, at.y), dragged);
  window.addEventListener('pointerup', onLift, { signal: press.signal });
  window.addEventListener('pointercancel', onLift, { signal: press.signal });
  return end;
};
