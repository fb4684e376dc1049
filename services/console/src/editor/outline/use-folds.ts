import { useLayoutEffect, useRef, useState } from 'react';
import type { TemplateDocument } from '../document/document.ts';
import { valueAt } from '../document/pointer.ts';
import type { Row } from '../document/rows.ts';

/** Which rows are folded. A fold goes with its block where that comes to stand elsewhere. */
export const useFolds = (document: TemplateDocument, rows: readonly Row[]) => {
  const [folded, fold] = useState<ReadonlySet<string>>(new Set());
  const before = useRef(document);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows are those of the document
  useLayoutEffect(() => {
    const places = new Map(rows.map(({ value, pointer }) => [value, pointer]));
    const last = before.current;
    before.current = document;
    fold((set) => new Set([...set].map((pointer) => places.get(valueAt(last, pointer)) ?? pointer)));
  }, [document]);
  const toggle = (pointer: string): void =>
    fold((set) => {
      const after = new Set(set);
      if (!after.delete(pointer)) after.add(pointer);
      return after;
    });
  return { folded, toggle };
};
