/** Inputs take every key themselves. */
export const isTyping = (target: EventTarget): boolean =>
  target instanceof HTMLElement &&
  (target.closest('input, textarea, select, dialog') !== null || target.shadowRoot !== null);

/** What is there is gone on with more often than it is written anew. */
export const writeAtEnd = (field: HTMLElement): void => {
  const takesText =
    field instanceof HTMLTextAreaElement || (field instanceof HTMLInputElement && field.type === 'text');
  if (takesText) field.setSelectionRange(field.value.length, field.value.length);
};
