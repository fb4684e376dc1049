import { isList, isObject } from '../../json.ts';
import type { TemplateDocument } from '../document/document.ts';
import { below, valueAt } from '../document/pointer.ts';
import { sayingText } from '../document/rows.ts';
import { type Finding, keyOf } from './findings.ts';

/** The form that has the focus, and what was already told when the focus came to it. */
export interface Writing {
  /** The row whose form it is. */
  readonly pointer: string;
  readonly before: ReadonlySet<string>;
}

const isBlank = (value: unknown): boolean =>
  value === undefined || value === '' || ((isObject(value) || isList(value)) && sayingText(value) === '');

/** What people are told: of a field that is still empty only once its form was left. */
export const shownFindings = (
  findings: readonly Finding[],
  document: TemplateDocument,
  writing: Writing | undefined,
): readonly Finding[] => {
  if (writing === undefined) return findings;
  const { pointer: row, before } = writing;
  return findings.filter(
    (finding) =>
      before.has(keyOf(finding)) ||
      !(finding.pointer === row || finding.pointer.startsWith(below(row, ''))) ||
      !isBlank(valueAt(document, finding.pointer)),
  );
};
