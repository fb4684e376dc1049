import { useState } from 'react';
import type { TemplateDocument } from './document/document.ts';
import type { Changed } from './outline/changes.ts';
import { movedWords } from './outline/dropping.ts';

/** Moves blocks, each move a step of undo, and says where the last one has come to stand. */
export const useMoving = (
  document: TemplateDocument,
  change: (document: TemplateDocument) => void,
  select: (pointer: string | undefined) => void,
) => {
  const [last, keep] = useState<{ document: TemplateDocument; words: string }>();
  return {
    move: (moved: Changed): void => {
      const { document: next, selected } = moved;
      select(selected);
      if (next === document || selected === undefined) return;
      change(next);
      keep({ document: next, words: movedWords(next, selected) });
    },
    /** For people who do not see it; it holds until the next change. */
    said: last?.document === document ? last.words : '',
  };
};
