import { inspectTranslations } from '@stanza/engine';
import type { Compiled, Parsed, Refused } from '../domain/compilation.ts';
import { problemsOfTemplate, warningOfTemplate } from '../domain/pointers.ts';
import type { TemplateSource } from './task.ts';

/** The result of a compile in one language, with the problems and warnings of the texts in all languages. */
export const withTranslationProblems = (
  compiled: Compiled | Refused,
  parsed: Parsed,
  { json, fallbackText, languages = 0 }: TemplateSource,
  ownLocale: string | undefined,
): Compiled | Refused => {
  if (languages === 0) return compiled;
  const blocks: unknown[] = JSON.parse(json);
  const fallback = fallbackText !== null && { fallbackText };
  const inspected = inspectTranslations(blocks, { surface: 'message', ...fallback, ownLocale });
  if (!inspected) return compiled;
  const { partials } = parsed.ok ? parsed.program : parsed;
  const problems = problemsOfTemplate(inspected.problems, partials);
  if (problems.length === 0) {
    const warnings = inspected.warnings.map(({ message }) => warningOfTemplate(message, partials));
    return compiled.ok ? { ...compiled, warnings: [...compiled.warnings, ...warnings] } : compiled;
  }
  if (compiled.ok) return { ok: false, code: 'compilation_failed', problems };
  // The problem of a text is reported where the text stands, and not where it is read.
  const others = compiled.problems.filter(
    ({ rule, message }) => !problems.some((it) => it.rule === rule && it.message === message),
  );
  return { ok: false, code: 'compilation_failed', problems: [...problems, ...others] };
};
