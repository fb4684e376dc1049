import {
  blockSchema,
  type ChatBlock,
  deriveInputs,
  fillIds,
  type InputField,
  inspectTranslations,
  isObject,
  type MessageMetadata,
  type Problem,
  parseTemplate,
  runWithWarnings,
  type Warning,
} from '@stanza/engine';
import type { Tables } from '../document/schema.ts';
import { type Finding, findingOfProblem, findingOfWarning } from './findings.ts';

/** A template with its data, as the preview runs it. */
export interface Evaluated {
  readonly blocks: readonly unknown[];
  /** Default: a message; a view is what a modal shows.*/
  readonly surface?: 'message' | 'view' | undefined;
  readonly fallbackText?: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
  /** BCP 47. */
  readonly locale?: string | undefined;
  /** That of the template, where the message is tried in another language. */
  readonly ownLocale?: string | undefined;
  /** IANA name. */
  readonly timezone?: string | undefined;
  readonly strict?: boolean | undefined;
}

/** What the API answers to the same template and data: `POST /v1/templates/preview`. */
export interface Output {
  readonly blocks: readonly ChatBlock[];
  readonly text: string;
  readonly metadata?: MessageMetadata | undefined;
  readonly warnings: readonly string[];
  readonly chat_truncation: { readonly fields_truncated: number };
}

/** What a template makes of data, what it reads, and what is wrong with it. */
export interface Evaluation {
  /** Undefined where nothing can be made. */
  readonly output?: Output | undefined;
  /** What the template reads; undefined where it cannot be parsed. */
  readonly fields?: readonly InputField[] | undefined;
  readonly findings: readonly Finding[];
}

/** A question to the worker. */
export type Question = { readonly id: number } & (
  | { readonly wants: 'schema' }
  | { readonly wants: 'run'; readonly given: Evaluated }
);

/** An answer of the worker. */
export type Answer = { readonly id: number } & (
  | { readonly schema: Tables }
  | { readonly evaluation: Evaluation }
);

const nothingLeft = 'Every block is empty: there is nothing to send.';

/** The same pointers as in answers of the API: into the template, not into its blocks. */
const warningOfTemplate = (warning: string): string =>
  warning.startsWith('/') && !warning.startsWith('/fallback_text: ') ? `/blocks${warning}` : warning;

const isBlock = (value: unknown): value is { type: string } =>
  isObject(value) && typeof value.type === 'string';

/** Ids that are left out are the server's to make; these stand in for them. */
const standInIds = (): (() => string) => {
  let count = 0;
  return () => `new-${++count}`;
};

/** The keys that the API names itself stand first in what it answers, whatever their place in the request. */
const inOrder = ({ type, ...rest }: { type: string }): { type: string } => {
  const { id, ...others }: { id?: unknown } = rest;
  return { type, ...(id !== undefined && { id }), ...others };
};

const filled = (blocks: readonly unknown[]): readonly unknown[] => {
  const newId = standInIds();
  return blocks.map((block) => (isBlock(block) ? (fillIds([inOrder(block)], newId)[0] ?? block) : block));
};

const ofWhole = (message: string): Finding => ({ kind: 'warning', pointer: '', message });

/** Runs a template as the server does. */
export const evaluate = (given: Evaluated, now: Date): Evaluation => {
  const {
    blocks,
    surface = 'message',
    fallbackText,
    data,
    locale,
    ownLocale = locale,
    timezone,
    strict,
  } = given;
  const about = { blocks, data };
  const failed = (problems: readonly Problem[]) =>
    problems.map((problem) => findingOfProblem(problem, about));
  const warned = (list: readonly Warning[]) => list.map((warning) => findingOfWarning(warning, about));
  const options = { surface, ...(fallbackText !== undefined && { fallbackText }), ownLocale };
  const whole = filled(blocks);
  const parsed = parseTemplate(whole, options);
  if (!parsed.ok) return { findings: failed(parsed.problems) };
  const inputs = deriveInputs(parsed.program, data);
  const result = runWithWarnings(parsed.program, data, {
    now,
    ...(strict !== undefined && { strict }),
    ...(locale !== undefined && { locale, ownLocale }),
    ...(timezone !== undefined && { timezone }),
  });
  const inspected = surface === 'message' ? inspectTranslations(whole, options) : undefined;
  const others = [
    ...failed(inspected?.problems ?? []),
    ...warned(inspected?.warnings ?? []),
    ...inputs.warnings.map(ofWhole),
  ];
  if (!result.ok) return { fields: inputs.fields, findings: [...failed(result.problems), ...others] };
  const isNothing = result.blocks.length === 0;
  const warnings = [...result.warnings.map(warningOfTemplate), ...(isNothing ? [nothingLeft] : [])];
  const { first, count } = result.warningList;
  // The last of the sentences counts those that are not listed.
  const more = count > first.length ? result.warnings.slice(-1) : [];
  return {
    output: {
      blocks: result.blocks,
      text: result.text,
      metadata: result.metadata,
      warnings,
      chat_truncation: { fields_truncated: result.fieldsTruncated },
    },
    fields: inputs.fields,
    findings: [...warned(first), ...[...more, ...(isNothing ? [nothingLeft] : [])].map(ofWhole), ...others],
  };
};

/** The tables of the language, from which forms are made. */
export const readSchema = (): Tables => {
  const { json_schema: _, ...schema } = blockSchema();
  return schema;
};
