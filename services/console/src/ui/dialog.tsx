import { type ReactNode, useId, useRef } from 'react';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import { useModal } from './use-modal.ts';

/** A question or a form above the page; Escape and *Close* close it, and the focus returns to where it was. */
export const Dialog = ({
  title,
  onClose,
  wide = false,
  shownOnce = false,
  children,
}: {
  title: string;
  onClose: () => void;
  wide?: boolean;
  /** What it shows is not shown again, so it is closed by its own button alone, and not by accident. */
  shownOnce?: boolean;
  children: ReactNode;
}) => {
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  // A modal dialog would begin at its first button, which is *Close*; a form begins at its first field.
  useModal(ref, (dialog) => {
    const field = dialog.querySelector<HTMLElement>('form :is(input, textarea, select)');
    (dialog.querySelector<HTMLElement>('[data-begins]') ?? field)?.focus();
  });
  return (
    <dialog
      ref={ref}
      className={`${styles.dialog} ${wide ? styles.wide : ''}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!shownOnce) onClose();
      }}
      // A browser closes a dialog at a second Escape, even where the first was refused.
      onKeyDown={(event) => shownOnce && event.key === 'Escape' && event.preventDefault()}
    >
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {!shownOnce && (
          <Button look="quiet" onClick={onClose}>
            Close
          </Button>
        )}
      </div>
      {children}
    </dialog>
  );
};

/** The buttons at the end of a form; the first is what it is for. */
export const FormEnd = ({ children, error }: { children: ReactNode; error?: ReactNode }) => (
  <div className={styles.end}>
    {error}
    <div className={styles.buttons}>{children}</div>
  </div>
);

/** Says how something ended; *Done* closes it. */
export const DoneDialog = ({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
}) => (
  <Dialog title={title} onClose={onClose}>
    {children}
    <FormEnd>
      <Button look="primary" data-begins onClick={onClose}>
        Done
      </Button>
    </FormEnd>
  </Dialog>
);
