import { type RefObject, useEffect } from 'react';

/**
 * Puts the focus on the screen where what had it has left the page: a link that led to another screen, a button that has
 * done its work, a row that was taken away. From the page itself, the Tab key would lead through the navigation again,
 * and a screen reader would say nothing.
 * @param frame holds the screen and its dialogs
 */
export const useKeptFocus = (frame: RefObject<HTMLElement | null>): void => {
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    let last: EventTarget | null = null;
    const keep = (): void => {
      if (document.activeElement !== document.body || !(last instanceof Node) || last.isConnected) return;
      last = null;
      const dialogs = document.querySelectorAll<HTMLElement>('dialog:modal');
      const kept = [...dialogs].at(-1) ?? document.getElementById('content');
      kept?.focus({ preventScroll: true });
    };
    const onFocus = ({ target }: FocusEvent): void => {
      last = target;
    };
    const drawn = new MutationObserver(keep);
    element.addEventListener('focusin', onFocus);
    drawn.observe(element, { childList: true, subtree: true });
    return () => {
      element.removeEventListener('focusin', onFocus);
      drawn.disconnect();
    };
  }, [frame]);
};
