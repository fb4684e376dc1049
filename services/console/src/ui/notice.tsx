import { type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { Button } from './button.tsx';
import styles from './notice.module.css';

/** Milliseconds for which it stands: long enough to be read twice, and the page says the same. */
const shownMs = 12_000;

/** What a change did, above the page for a while, or until it is put away; nothing moves for it. */
export const Notice = ({ children, onHide }: { children: ReactNode; onHide: () => void }) => {
  const hide = useEffectEvent(onHide);
  const popover = useRef<HTMLDivElement>(null);
  // A popover stands above a dialog that stays open, too.
  useLayoutEffect(() => popover.current?.showPopover(), []);
  useEffect(() => {
    const timer = setTimeout(() => hide(), shownMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div ref={popover} popover="manual" className={styles.notice}>
      <p role="status">{children}</p>
      <Button look="quiet" onClick={onHide}>
        Hide
      </Button>
    </div>
  );
};
