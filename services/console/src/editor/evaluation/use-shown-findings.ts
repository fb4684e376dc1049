import { type FocusEvent, useMemo, useState } from 'react';
import type { TemplateDocument } from '../document/document.ts';
import { type Row, rowAround } from '../document/rows.ts';
import { type Finding, keyOf } from './findings.ts';
import { shownFindings, type Writing } from './shown-findings.ts';

/** The findings that are shown, the marks of the rows, and what watches the form of the chosen row for it. */
export const useShownFindings = (
  findings: readonly Finding[],
  document: TemplateDocument,
  rows: readonly Row[],
  /** Undefined where no form is shown. */
  chosen: string | undefined,
) => {
  const [writing, write] = useState<Writing>();
  // The browser says nothing of a focus whose field is taken away.
  const current = writing?.pointer === chosen ? writing : undefined;
  const shown = useMemo(() => shownFindings(findings, document, current), [findings, document, current]);
  const marks = useMemo(() => {
    const found = new Map<string, 'problem' | 'warning'>();
    for (const { pointer, kind } of shown) {
      const row = rowAround(rows, pointer);
      if (row !== undefined && found.get(row.pointer) !== 'problem') found.set(row.pointer, kind);
    }
    return found;
  }, [shown, rows]);
  const watch = {
    onFocus: (): void => {
      if (chosen !== undefined && current === undefined) {
        write({ pointer: chosen, before: new Set(findings.map(keyOf)) });
      }
    },
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent): void => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) write(undefined);
    },
  };
  return { findings: shown, marks, watch };
};
