import { isList, isObject } from '@stanza/engine';

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const openedBy = (action: unknown): string[] =>
  isObject(action) &&
  action.type === 'open_modal' &&
  typeof action.modal_id === 'string' &&
  uuidForm.test(action.modal_id)
    ? [action.modal_id.toLowerCase()]
    : [];

const collect = (value: unknown, found: Set<string>): void => {
  if (isList(value)) {
    for (const entry of value) collect(entry, found);
  } else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'interaction' && isList(inner)) {
        for (const id of inner.flatMap(openedBy)) found.add(id);
      }
      collect(inner, found);
    }
  }
};

/** The ids of the modals that the elements of a message open, each once. */
export const openedModals = (blocks: readonly unknown[]): string[] => {
  const found = new Set<string>();
  collect(blocks, found);
  return [...found];
};
