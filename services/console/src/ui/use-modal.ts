import { type RefObject, useLayoutEffect, useRef, useSyncExternalStore } from 'react';

/** The dialogs that are open, the last above the others, and whether something is entered in each. */
const openModals = new Map<HTMLDialogElement, () => boolean>();
const listeners = new Set<() => void>();

const notify = (): void => {
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Whether a dialog is open above the page. What stands in it would go with the part of the page that has opened it. */
export const useIsModalOpen = (): boolean => useSyncExternalStore(subscribe, () => openModals.size > 0);

const topModal = (): HTMLDialogElement | undefined => [...openModals.keys()].at(-1);

/** The dialog above all others. What stands elsewhere on the page can be neither pressed nor read then. */
export const useTopModal = (): HTMLDialogElement | undefined => useSyncExternalStore(subscribe, topModal);

/** Whether something is entered in a dialog that is open. */
export const isModalEntered = (): boolean => [...openModals.values()].some((isEntered) => isEntered());

const isNeverEntered = (): boolean => false;

/** The field that has the focus, and what is marked in it; undefined where there is none. */
const writtenIn = () => {
  const field = document.activeElement;
  if (!(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement)) return undefined;
  const { selectionStart: from, selectionEnd: to } = field;
  return from === null || to === null ? undefined : { field, from, to };
};

/**
 * Opens a dialog above the page as long as it is shown, and gives the focus back to what had it. The browser does not
 * give a field its caret back, so that what is typed next would stand elsewhere.
 */
export const useModal = (
  ref: RefObject<HTMLDialogElement | null>,
  begin?: (dialog: HTMLDialogElement) => void,
  isEntered: () => boolean = isNeverEntered,
) => {
  const latest = useRef(isEntered);
  useLayoutEffect(() => {
    latest.current = isEntered;
  });
  // Not an effect after the paint: a dialog that has left the page gives the focus back to nothing.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is opened once
  useLayoutEffect(() => {
    const dialog = ref.current;
    const before = writtenIn();
    if (dialog === null) return undefined;
    dialog.showModal();
    openModals.set(dialog, () => latest.current());
    notify();
    begin?.(dialog);
    return () => {
      dialog.close();
      if (before && document.activeElement === before.field) {
        before.field.setSelectionRange(before.from, before.to);
      }
      openModals.delete(dialog);
      notify();
    };
  }, []);
};
