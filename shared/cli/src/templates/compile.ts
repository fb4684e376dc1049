import {
  type Block,
  fallbackPointer,
  fillIds,
  inspectTranslations,
  isObject,
  type JsonObject,
  type Problem,
  parseTemplate,
  parseView,
  runProgram,
  runView,
  type ViewSource,
} from '@stanza/engine';
import type { LocalPartials, TemplateContent } from './content.ts';
import { withPartials } from './partials.ts';
import { problemsAround, type TemplateProblem } from './settings.ts';

/** A template with its data, compiled without a server. */
export interface Compiled {
  readonly ok: true;
  /** The message, without ids that a server would fill in. */
  readonly output: JsonObject;
  readonly blocks: readonly JsonObject[];
  readonly text: string;
  readonly warnings: readonly string[];
}

/** A template that does not compile, with every problem. */
export interface Refused {
  readonly ok: false;
  readonly problems: readonly TemplateProblem[];
}

/** The ids that a server would make, always the same. */
const countedIds = (): (() => string) => {
  let made = 0;
  return () => {
    made += 1;
    return `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`;
  };
};

const filled = /^(blk|act)_00000000-0000-4000-8000-\d{12}(_\d+)*$/;

const withoutFilled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutFilled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([key, inner]) =>
          !((key === 'block_id' || key === 'action_id') && typeof inner === 'string' && filled.test(inner)),
      )
      .map(([key, inner]): [string, unknown] => [key, withoutFilled(inner)]),
  );
};

/** Where a problem is, as the API points there. */
const pointed = ({ pointer, rule, message, hint }: Problem): TemplateProblem => ({
  pointer: pointer === fallbackPointer ? pointer : `/blocks${pointer}`,
  rule,
  message,
  ...(hint !== undefined && { hint }),
});

/**
 * Compiles a template with data by the engine of the server, where the API takes its settings. A value that is missing
 * is a warning, unless the template is strict.
 */
export const compileTemplate = (
  content: TemplateContent,
  now: Date,
  data: JsonObject = content.version.data,
): Compiled | Refused => {
  const around = problemsAround(content);
  const { about, version, partials = new Map() } = content;
  const { fallback_text: fallbackText, locale, timezone, strict = false } = about;
  const expanded = withPartials(version.blocks, partials);
  if (expanded.problems.length > 0) return { ok: false, problems: expanded.problems.map(pointed) };
  const filled = fillIds(expanded.blocks, countedIds());
  const parsing = {
    surface: 'message',
    namesByKey: true,
    ...(fallbackText !== undefined && { fallbackText }),
    ...(locale && { ownLocale: locale }),
  } as const;
  const inspected = inspectTranslations(filled, parsing);
  if (inspected && inspected.problems.length > 0) {
    return { ok: false, problems: inspected.problems.map(pointed) };
  }
  const parsed = parseTemplate(filled, parsing);
  const problems = [...around, ...(parsed.ok ? [] : parsed.problems.map(pointed))];
  if (!parsed.ok || problems.length > 0) return { ok: false, problems };
  const options = {
    now,
    strict,
    ...(locale && { locale, ownLocale: locale }),
    ...(timezone && { timezone }),
  };
  const result = runProgram(parsed.program, data, options);
  if (!result.ok) return { ok: false, problems: result.problems.map(pointed) };
  const { text, metadata, warnings } = result;
  const blocks = result.blocks.map(withoutFilled).filter(isObject);
  return { ok: true, output: { blocks, text, ...(metadata && { metadata }) }, blocks, text, warnings };
};

/** What is wrong with blocks that are no message of their own: those of a partial. */
export const problemsOfBlocks = (
  blocks: readonly Block[],
  partials: LocalPartials,
): readonly TemplateProblem[] => {
  const expanded = withPartials(blocks, partials);
  if (expanded.problems.length > 0) return expanded.problems.map(pointed);
  const parsed = parseTemplate(fillIds(expanded.blocks, countedIds()), {
    surface: 'message',
    namesByKey: true,
  });
  return parsed.ok ? [] : parsed.problems.map(pointed);
};

/** What is wrong with a view of a modal. */
export const problemsOfView = (
  view: ViewSource & { readonly blocks: readonly Block[] },
  data: JsonObject,
  now: Date,
): readonly TemplateProblem[] => {
  const parsed = parseView({ ...view, blocks: fillIds(view.blocks, countedIds()) });
  if (!parsed.ok) return parsed.problems;
  const result = runView(parsed.program, data, { now });
  return result.ok ? [] : result.problems;
};

/** What a template comes out as; undefined where it does not compile. */
export const expectedOf = (content: TemplateContent, now: Date): JsonObject | undefined => {
  const compiled = compileTemplate(content, now);
  return compiled.ok ? compiled.output : undefined;
};
