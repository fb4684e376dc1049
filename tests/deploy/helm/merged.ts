import { type DiffEntry, diff } from 'node:util';
import { quoted } from './resource-template.ts';

/** A template of one resource, and where it stands. */
export interface Variant {
  name: string;
  small: boolean;
  text: string;
}

interface Unit {
  text: string;
  of: readonly Variant[];
}

/** The lines of a text; what stands under a condition of its own is one unit. */
const unitsOf = (text: string): string[] => {
  const units: string[] = [];
  let depth = 0;
  for (const line of text.trimEnd().split('\n')) {
    if (depth === 0) units.push(line);
    else units.push(`${units.pop()}\n${line}`);
    if (/^\{\{- (if|with|range) /.test(line)) depth += 1;
    if (line === '{{- end }}') depth -= 1;
  }
  return units;
};

/** Fewer common lines than these between others are clearer where they stand twice. */
const fewest = 3;

/** The runs of common lines and of others, in turn. */
const runsOf = (entries: readonly DiffEntry[]): DiffEntry[][] => {
  const runs: DiffEntry[][] = [];
  for (const entry of entries) {
    const last = runs.at(-1);
    if (last && (last[0]?.[0] === 0) === (entry[0] === 0)) last.push(entry);
    else runs.push([entry]);
  }
  return runs;
};

/** Adds the lines of a text to those of the others; each line that they have in common is there once. */
const withText = (units: readonly Unit[], { text: further, of }: Unit): Unit[] => {
  if (units.length === 0) return unitsOf(further).map((text) => ({ text, of }));
  const before = [...units];
  const takeOne = () => before.splice(0, 1);
  const whole: Unit[] = [];
  let added: Unit[] = [];
  const runs = runsOf(
    diff(
      units.map((it) => it.text),
      unitsOf(further),
    ),
  );
  for (const [at, run] of runs.entries()) {
    const isCommon = run[0]?.[0] === 0 && (run.length >= fewest || at === 0 || at === runs.length - 1);
    if (isCommon) whole.push(...added.splice(0));
    for (const [side, text] of run) {
      if (isCommon) whole.push(...takeOne().map((it) => ({ ...it, of: [...it.of, ...of] })));
      else {
        if (side !== -1) whole.push(...takeOne());
        if (side !== 1) added = [...added, { text, of }];
      }
    }
  }
  return [...whole, ...added];
};

const isOneOf = (names: readonly string[]): string =>
  names.length === 1 ? `eq $name ${quoted(names)}` : `has $name (list ${quoted(names)})`;

const namesOf = (variants: readonly Variant[]): string[] => [...new Set(variants.map((it) => it.name))];

/** The condition under which a form is one of `wanted`, given that it is one of `all`; undefined for all of them. */
export const conditionFor = (wanted: readonly Variant[], all: readonly Variant[]): string | undefined => {
  const fits = (test: (it: Variant) => boolean) => all.every((it) => test(it) === wanted.includes(it));
  if (fits(() => true)) return undefined;
  const names = namesOf(wanted);
  const others = namesOf(all).filter((it) => !names.includes(it));
  if (fits((it) => names.includes(it.name)))
    return others.length === 1 ? `ne $name ${quoted(others)}` : isOneOf(names);
  for (const small of [true, false]) {
    const form = small ? '$.Values.small' : 'not $.Values.small';
    if (fits((it) => it.small === small)) return form;
    const rest = namesOf(wanted.filter((it) => it.small !== small));
    if (fits((it) => it.small === small || rest.includes(it.name))) return `or (${form}) (${isOneOf(rest)})`;
    if (fits((it) => it.small === small && names.includes(it.name)))
      return `and (${form}) (${isOneOf(names)})`;
  }
  throw new Error(`there is no condition for ${names.join(', ')}`);
};

/** Lines under a condition, and others where it does not hold. */
export const wrapped = (condition: string | undefined, body: string, otherwise = ''): string =>
  condition === undefined
    ? body
    : `{{- if ${condition} }}\n${body}${otherwise && `{{- else }}\n${otherwise}`}{{- end }}\n`;

const isSame = (one: readonly Variant[], other: readonly Variant[]): boolean =>
  one.length === other.length && one.every((it) => other.includes(it));

/** One text for all variants: the lines in which they differ have conditions. */
export const merged = (variants: readonly Variant[]): string => {
  const texts = Map.groupBy(variants, (it) => it.text);
  const lines = [...texts].map(([text, of]) => ({ text, of })).reduce<Unit[]>(withText, []);
  const parts: Unit[] = [];
  for (const { text, of } of lines) {
    const last = parts.at(-1);
    if (last && isSame(last.of, of)) last.text += `${text}\n`;
    else parts.push({ text: `${text}\n`, of });
  }
  let whole = '';
  for (let part = parts.shift(); part; part = parts.shift()) {
    const { text, of } = part;
    const next = parts[0];
    const isElse = next && isSame([...of, ...next.of], variants);
    whole += wrapped(conditionFor(of, variants), text, isElse ? next.text : '');
    if (isElse) parts.shift();
  }
  return whole;
};
