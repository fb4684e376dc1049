/** Inputs take every key themselves. */
export const isTyping = (target: EventTarget): boolean =>
  target instanceof HTMLElement &&
  (target.closest('input, textarea, select, dialog') !== null || target.shadowRoot !== null);

/** Puts the cursor at the end of a field: its text is continued more often than it is replaced. */
export const writeAtEnd = (field: HTMLElement): void => {
  const takesText =
    field instanceof HTMLTextAreaElement || (field instanceof HTMLInputElement && field.type === 'text');
  if (takesText) field.setSelectionRange(field.value.length, field.value.length);
};
