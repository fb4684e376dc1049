import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import type { Trial } from './data/data-region.tsx';
import { documentOf, isDocument, isSame, type TemplateDocument } from './document/document.ts';
import { historyAfter, startHistory } from './document/history.ts';
import { valueAt, withKeyRenamed } from './document/pointer.ts';
import { forgetDraft, keepDraft, keptDraft } from './draft.ts';
import type { Remedy } from './evaluation/findings.ts';
import { withValue } from './outline/changes.ts';
import type { Loaded } from './versions/api.ts';

/** What is saved: the template and the blocks of its newest version. */
export interface Saved {
  readonly document: TemplateDocument;
  readonly trial: Trial;
}

/** What is saved of a template that was read, with the content of its newest version. */
export const savedOf = (
  { template }: Loaded,
  newest: { blocks: readonly unknown[]; sample_data: Readonly<Record<string, unknown>> | null },
): Saved => ({
  document: documentOf(template, newest.blocks),
  trial: { data: newest.sample_data ?? {}, locale: '', timezone: '' },
});

const mended = (document: TemplateDocument, { kind, pointer, given, name }: Remedy): TemplateDocument => {
  if (kind === 'key') {
    const renamed = withKeyRenamed(document, pointer, name);
    return isDocument(renamed) ? renamed : document;
  }
  const text = valueAt(document, pointer);
  return typeof text === 'string' ? withValue(document, pointer, text.replace(given, name)) : document;
};

/** The document and its data while they are edited: every change can be undone, and a reload loses nothing. */
export const useEditing = (templateId: string, saved: Saved) => {
  const [kept] = useState(() => keptDraft(templateId));
  const [history, dispatch] = useReducer(
    historyAfter,
    kept?.edition ?? { document: saved.document },
    startHistory,
  );
  const [trial, setTrial] = useState(kept?.trial ?? saved.trial);
  const [isRestored, setRestored] = useState(
    kept !== undefined && !(isSame(kept.edition.document, saved.document) && kept.edition.text === undefined),
  );
  const { present } = history;
  const isDirty = present.textProblem !== undefined || !isSame(present.document, saved.document);
  const isTrialChanged = !isSame(trial, saved.trial);

  useEffect(() => {
    if (isDirty || isTrialChanged) keepDraft(templateId, { edition: present, trial });
    else forgetDraft(templateId);
  }, [templateId, present, trial, isDirty, isTrialChanged]);

  const document = useRef(present.document);
  document.current = present.document;

  const change = useCallback((next: TemplateDocument, place?: string) => {
    dispatch({ do: 'change', document: next, ...(place !== undefined && { place }) });
  }, []);
  const put = useCallback(
    (value: unknown, pointer: string) => change(withValue(document.current, pointer, value), pointer),
    [change],
  );
  return {
    present,
    trial,
    setTrial,
    isDirty,
    /** A draft of this browser is on the screen. */
    isRestored: isRestored && isDirty,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    undo: useCallback(() => dispatch({ do: 'undo' }), []),
    redo: useCallback(() => dispatch({ do: 'redo' }), []),
    type: useCallback((text: string) => dispatch({ do: 'type', text }), []),
    change,
    put,
    mend: (remedy: Remedy) => change(mended(present.document, remedy)),
    /** Goes back to what is saved; can be undone. */
    discard: () => {
      change(saved.document);
      setTrial(saved.trial);
      setRestored(false);
    },
    dismissRestored: () => setRestored(false),
  };
};

/** See {@link useEditing}. */
export type Editing = ReturnType<typeof useEditing>;
