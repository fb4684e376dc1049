import { type FocusEvent, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import { useLeaving } from './use-leaving.ts';
import { useModal } from './use-modal.ts';

type Field = HTMLInputElement | HTMLTextAreaElement;

/** Fields without a text, and searches, whose text is worth nothing once they are closed. */
const textless = new Set(['checkbox', 'radio', 'file', 'search']);

/** Whether something is a text in a form: what is typed in it goes away with the form. */
const isText = (it: EventTarget): it is Field =>
  (it instanceof HTMLTextAreaElement || (it instanceof HTMLInputElement && !textless.has(it.type))) &&
  it.form !== null;

/** Whether a text was typed that is still there, and not sent or taken back. */
const useTyped = () => {
  const before = useRef(new Map<Field, string>());
  return {
    onFocus: ({ target }: FocusEvent): void => {
      if (isText(target) && !before.current.has(target)) before.current.set(target, target.value);
    },
    isTyped: (): boolean =>
      [...before.current].some(([field, text]) => field.isConnected && field.value !== text),
  };
};

/** Closing a dialog leads nowhere. */
const stay = (): void => undefined;

/** A modal dialog would begin at its first button, which is *Close*; a form begins at its first field. */
const begin = (dialog: HTMLDialogElement): void => {
  const field = dialog.querySelector<HTMLElement>('form :is(input, textarea, select)');
  (dialog.querySelector<HTMLElement>('[data-begins]') ?? field)?.focus();
};

/**
 * A question or a form above the page. *Close* and Escape close it, *Back* and a link lead away from it, and all of them
 * ask first where something entered would be lost; *Cancel* asks nothing. The focus returns to where it was.
 */
export const Dialog = ({
  title,
  onClose,
  wide = false,
  shownOnce = false,
  isEntered = false,
  children,
}: {
  title: string;
  onClose: () => void;
  wide?: boolean;
  /** What it shows is not shown again, so it is closed by its own button alone, and not by accident. */
  shownOnce?: boolean;
  /** Something was chosen, or entered in a step before; what is typed in its forms is seen without this. */
  isEntered?: boolean;
  children: ReactNode;
}) => {
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  const { onFocus, isTyped } = useTyped();
  const [asked, ask] = useState<{ goOn: () => void }>();
  const wouldLose = (): boolean => shownOnce || isEntered || isTyped();
  useModal(ref, begin, wouldLose);
  const { onClickCapture } = useLeaving(wouldLose, (goOn) => ask({ goOn }));
  const leave = (): void => {
    if (shownOnce) return;
    if (wouldLose()) ask({ goOn: stay });
    else onClose();
  };
  // Not left to the browser: it closes a dialog at a second Escape, even where the first was refused.
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return;
    event.preventDefault();
    leave();
  };
  return (
    <>
      <dialog
        ref={ref}
        className={`${styles.dialog} ${wide ? styles.wide : ''}`}
        aria-labelledby={id}
        onFocus={onFocus}
        onKeyDown={onKeyDown}
        onClickCapture={onClickCapture}
        onCancel={(event) => {
          // A choice of files in it that is cancelled says so here as well.
          if (event.target !== event.currentTarget) return;
          event.preventDefault();
          leave();
        }}
      >
        <div className={styles.head}>
          <h2 id={id}>{title}</h2>
          {!shownOnce && (
            <Button look="quiet" onClick={leave}>
              Close
            </Button>
          )}
        </div>
        {children}
      </dialog>
      {asked && (
        <Dialog
          title={shownOnce ? 'Leave what is shown only once?' : 'Discard what you have entered?'}
          onClose={() => ask(undefined)}
        >
          <p>{shownOnce ? 'It cannot be shown again.' : 'It is not saved.'}</p>
          <FormEnd>
            <Button data-begins onClick={() => ask(undefined)}>
              {shownOnce ? 'Stay' : 'Keep editing'}
            </Button>
            <Button
              look="destroy"
              onClick={() => {
                // The question closes first: the focus returns through the form to what has opened that.
                flushSync(() => ask(undefined));
                onClose();
                asked.goOn();
              }}
            >
              {shownOnce ? 'Leave' : 'Discard'}
            </Button>
          </FormEnd>
        </Dialog>
      )}
    </>
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
