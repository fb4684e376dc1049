import { type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Button } from './button.tsx';
import styles from './notice.module.css';
import { useTopModal } from './use-modal.ts';

/** Milliseconds for which it stands: long enough to be read twice, and the page says the same. */
const shownMs = 12_000;

/** What is said; the count tells apart what is said twice. */
interface Said {
  words: ReactNode;
  count: number;
}

const Region = ({ said, onHide }: { said: Said | undefined; onHide: () => void }) => {
  const popover = useRef<HTMLDivElement>(null);
  const [told, tell] = useState<Said>();
  useLayoutEffect(() => popover.current?.showPopover(), []);
  // Not at once: screen readers pass over a region that comes together with its text.
  useEffect(() => tell(said), [said]);
  return (
    <div ref={popover} popover="manual" className={styles.notice} data-empty={told === undefined}>
      <p role="status">{told && <span key={told.count}>{told.words}</span>}</p>
      {told && (
        <Button look="quiet" onClick={onHide}>
          Hide
        </Button>
      )}
    </div>
  );
};

/**
 * What a change did, above the page for a while, or until it is put away; nothing moves for it. It stands in the dialog
 * that is open, since everything else is out of reach then.
 */
export const Notice = ({ said, onHide }: { said: Said | undefined; onHide: () => void }) => {
  const hide = useEffectEvent(onHide);
  const dialog = useTopModal();
  useEffect(() => {
    if (said === undefined) return undefined;
    const timer = setTimeout(() => hide(), shownMs);
    return () => clearTimeout(timer);
  }, [said]);
  const region = <Region said={said} onHide={onHide} />;
  return dialog ? createPortal(region, dialog) : region;
};
