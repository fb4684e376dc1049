import { useCallback, useEffect, useReducer, useRef } from 'react';
import { isDocument, type TemplateDocument } from './document/document.ts';
import { type Edition, historyAfter, startHistory } from './document/history.ts';
import { valueAt, withKeyRenamed } from './document/pointer.ts';
import type { Remedy } from './evaluation/findings.ts';
import { mendedText } from './evaluation/mended-text.ts';
import { withValue } from './outline/changes.ts';

const mended = (document: TemplateDocument, { kind, pointer, given, name }: Remedy): TemplateDocument => {
  if (kind === 'key') {
    const renamed = withKeyRenamed(document, pointer, name);
    return isDocument(renamed) ? renamed : document;
  }
  const text = valueAt(document, pointer);
  return typeof text === 'string' ? withValue(document, pointer, mendedText(text, given, name)) : document;
};

/** Milliseconds without a change that end a step of undo. */
const quietMs = 1_000;

/** A document while it is edited: every change can be undone. */
export const useHistory = (edition: Edition) => {
  const [history, dispatch] = useReducer(historyAfter, edition, startHistory);
  const { present, place } = history;
  const settle = useCallback(() => dispatch({ do: 'settle' }), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change begins the wait anew
  useEffect(() => {
    if (place === undefined) return;
    const timer = setTimeout(settle, quietMs);
    return () => clearTimeout(timer);
  }, [place, present, settle]);
  const change = useCallback((next: TemplateDocument, place?: string) => {
    dispatch({ do: 'change', document: next, ...(place !== undefined && { place }) });
  }, []);
  const document = useRef(present.document);
  document.current = present.document;
  return {
    present,
    change,
    /** Puts a value at a pointer of the document. */
    put: useCallback(
      (value: unknown, pointer: string) => change(withValue(document.current, pointer, value), pointer),
      [change],
    ),
    /** What is typed from now on is another step of undo. */
    settle,
    /** Puts the saved form of an edition in its place where it is still on the screen, which is no step. */
    save: useCallback(
      (of: Edition, saved: TemplateDocument) => dispatch({ do: 'save', of, document: saved }),
      [],
    ),
    mend: (remedy: Remedy) => change(mended(present.document, remedy)),
    type: useCallback((text: string) => dispatch({ do: 'type', text }), []),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    undo: useCallback(() => dispatch({ do: 'undo' }), []),
    redo: useCallback(() => dispatch({ do: 'redo' }), []),
  };
};

/** See {@link useHistory}. */
export type Steps = ReturnType<typeof useHistory>;
