import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useBrowserDraft } from './browser-draft.ts';
import { keptOf, type Trial } from './data/data-region.tsx';
import { following, isSame, type TemplateDocument } from './document/document.ts';
import type { Edition } from './document/history.ts';
import { bodyOfScreen } from './drafts/draft-body.ts';
import type { DraftBody, DraftKeeper, Keeping } from './drafts/draft-keeper.ts';
import type { Opening } from './drafts/opening.ts';
import type { Saved } from './saved.ts';
import { useHistory } from './use-history.ts';
import type { Loaded } from './versions/api.ts';

const nothing: Keeping = { is: 'none' };
const neverChanges = (): (() => void) => () => undefined;
const keepingNothing = (): Keeping => nothing;

/** Where the draft stands, for a screen. */
const useKeeping = (keeper: DraftKeeper | undefined): Keeping =>
  useSyncExternalStore(keeper?.subscribe ?? neverChanges, keeper?.keeping ?? keepingNothing);

/**
 * The document and its data while they are edited: every change can be undone, and is kept by the browser and, with a
 * keeper, by the server.
 */
export const useEditing = (
  { template, versions }: Loaded,
  saved: Saved,
  opening: Opening,
  keeper: DraftKeeper | undefined,
) => {
  const store = useBrowserDraft(template.id);
  const steps = useHistory(opening.edition);
  const { present, change, save } = steps;
  const [trial, setTrial] = useState(opening.trial);
  const [from, setFrom] = useState(opening.from);
  const [base, setBase] = useState(opening.memory.there?.base_version_id ?? versions[0]?.id ?? null);
  const keeping = useKeeping(keeper);
  const isChanged = !isSame(present.document, saved.document);
  const isDirty = present.textProblem !== undefined || isChanged;
  const kept = useMemo(() => keptOf(trial), [trial]);
  const isTrialChanged = !isSame(kept, saved.trial);

  // What nobody has changed here follows what is saved by somebody else; half a JSON first becomes whole.
  const followed = useRef(saved);
  useEffect(() => {
    const { document: before } = followed.current;
    if (followed.current === saved || present.textProblem !== undefined) return;
    followed.current = saved;
    const next = following(present.document, before, saved.document);
    if (next === present.document) return;
    change(next);
    if (isSame(present.document, before)) setTrial(saved.trial);
    if (next.blocks === saved.document.blocks) setBase(versions[0]?.id ?? null);
  }, [saved, present, change, versions]);

  const { document: edited } = present;
  const { data } = kept;
  const drafted = useMemo<DraftBody>(
    () => bodyOfScreen(edited, template, data, base),
    [edited, template, data, base],
  );
  useEffect(() => keeper?.offer(isChanged ? drafted : null), [keeper, isChanged, drafted]);
  useEffect(() => {
    const isSettled = keeper?.isSettled ?? opening.isUnsent !== true;
    // Read again here, since the memory changes with each step of keeping.
    if (isDirty || isTrialChanged || keeping.is !== 'none') {
      const { blocks: _, ...settings } = followed.current.document;
      const memory = keeper?.memory ?? (opening.isUnsent ? opening.memory : undefined);
      store.keep({ edition: present, trial: kept, memory, isSettled, settings });
    } else store.forget();
  }, [store, present, kept, isDirty, isTrialChanged, keeper, keeping, opening]);

  return {
    ...steps,
    trial,
    setTrial,
    isDirty,
    /** What the server keeps, or would keep, of the screen. */
    drafted,
    keeping,
    /** Where the unsaved work on the screen comes from; undefined for that of this visit. */
    from: isDirty ? from : undefined,
    /** Puts another state onto the screen, which can be undone. */
    take: useCallback(
      (next: TemplateDocument, more: { trial?: Trial; base?: string | null } = {}) => {
        change(next);
        if (more.trial) setTrial(more.trial);
        if (more.base !== undefined) setBase(more.base);
        setFrom(undefined);
      },
      [change],
    ),
    /** What was on the screen is a version now. */
    keep: useCallback(
      (of: Edition, saved: TemplateDocument, version: string) => {
        save(of, saved);
        setBase(version);
        setFrom(undefined);
      },
      [save],
    ),
    dismissFrom: () => setFrom(undefined),
  };
};

/** See {@link useEditing}. */
export type Editing = ReturnType<typeof useEditing>;
