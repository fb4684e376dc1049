import { type RefObject, useEffect, useRef } from 'react';

/** Leads the focus into what a press adds to a form: otherwise it stays on the button, or is lost with it. */
export const useFocusAdded = <Form extends HTMLElement>(): {
  form: RefObject<Form | null>;
  /** To be called with the `data-added` of what is added. */
  expect: (added: string | number) => void;
} => {
  const form = useRef<Form>(null);
  const expected = useRef<string | number>(undefined);
  useEffect(() => {
    if (expected.current === undefined) return;
    const added = form.current?.querySelector(`:scope > [data-added="${expected.current}"]`);
    if (!added) return;
    expected.current = undefined;
    const fields = added.querySelectorAll<HTMLElement>('input, select, textarea');
    [...fields].find((field) => !field.matches('[role="toolbar"] *') && field.checkVisibility())?.focus();
  });
  return {
    form,
    expect: (added) => {
      expected.current = added;
    },
  };
};
