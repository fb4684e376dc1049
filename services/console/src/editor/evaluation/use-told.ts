import { type FocusEvent, useMemo, useState } from 'react';
import type { TemplateDocument } from '../document/document.ts';
import { type Row, rowAround } from '../document/rows.ts';
import { type Finding, keyOf } from './findings.ts';
import { toldOf, type Writing } from './told.ts';

/** What people are told of the findings, the marks of the rows, and what watches the form of the chosen row for it. */
export const useTold = (
  findings: readonly Finding[],
  document: TemplateDocument,
  rows: readonly Row[],
  /** Undefined where no form is shown. */
  chosen: string | undefined,
) => {
  const [writing, write] = useState<Writing>();
  // The browser says nothing of a focus whose field is taken away.
  const current = writing?.pointer === chosen ? writing : undefined;
  const told = useMemo(() => toldOf(findings, document, current), [findings, document, current]);
  const marks = useMemo(() => {
    const found = new Map<string, 'problem' | 'warning'>();
    for (const { pointer, kind } of told) {
      const row = rowAround(rows, pointer);
      if (row !== undefined && found.get(row.pointer) !== 'problem') found.set(row.pointer, kind);
    }
    return found;
  }, [told, rows]);
  const watch = {
    onFocus: (): void => {
      if (chosen !== undefined && current === undefined) {
        write({ pointer: chosen, told: new Set(findings.map(keyOf)) });
      }
    },
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent): void => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) write(undefined);
    },
  };
  return { told, marks, watch };
};
