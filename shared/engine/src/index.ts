/** The template engine: parse once, run often. Pure: no I/O, no clock, no randomness of its own. */

export { directives } from './directives/parse-directive.ts';
export { operators } from './expressions/conditions/operators.ts';
export { filters } from './expressions/filters/call.ts';
export { momentForms, momentOf } from './expressions/filters/moment.ts';
export { mapData, type PlaceholderMapping } from './expressions/placeholders/map-data.ts';
export { stepInto, stepsFromTop, valueAt } from './expressions/placeholders/value-at.ts';
export type { DerivationOptions, InputField, KnownField } from './inspect/fields.ts';
export { deriveInputs, type Inputs } from './inspect/inputs.ts';
export { pathCharacters, requestFormat } from './inspect/request-format.ts';
export { type BlockSchema, blockSchema } from './inspect/schema/block-schema.ts';
export { templatePage } from './inspect/schema/page.ts';
export { type InputType, inputTypes } from './inspect/value-type.ts';
export { type MessageMetadata, messageEvent, reservedKeyBytes } from './interactions/metadata.ts';
export { isList, isObject, type JsonObject, ownValue, pointerStep } from './json.ts';
export { countLanguages, isTranslations, type TranslatedText } from './languages/texts.ts';
export { comparedOn, type Limit, type LimitName, limits } from './limits.ts';
export { nearestName } from './parse/nearest.ts';
export type { PartialEntry, Surface } from './parse/parse-context.ts';
export { type NamedPartial, partialsIn, usesPartials, withoutVersions } from './partials/entries.ts';
export {
  type Expanded,
  expandPartials,
  type FindPartial,
  type FoundPartial,
  namesRead,
  problemsOfPartial,
} from './partials/expand.ts';
export { placeIn } from './partials/place.ts';
export { type Block, fillIds } from './program/fill-ids.ts';
export { type FillResult, fillJson } from './program/fill-json.ts';
export { inspectTranslations } from './program/inspect-translations.ts';
export {
  type ParseOptions,
  type ParseResult,
  type Program,
  parseTemplate,
} from './program/parse-template.ts';
export {
  type ParseViewResult,
  parseView,
  type ViewProgram,
  type ViewSource,
} from './program/parse-view.ts';
export { type ChatBlock, type MessageOptions, PartSpent, type RunOptions } from './program/run-blocks.ts';
export {
  type ResultWithWarnings,
  type RunResult,
  runProgram,
  runWithWarnings,
} from './program/run-program.ts';
export { type ChatView, type RunViewResult, runView } from './program/run-view.ts';
export type { LeftOutList } from './run/leave-out.ts';
export type { People } from './run/mentions.ts';
export { isBareKey, readPath, writePath } from './run/path-text.ts';
export { fallbackPointer, type Problem, type ProblemRule } from './run/problem.ts';
export type { Warning } from './run/run.ts';
export { codePoints } from './text/cut.ts';
export {
  type CsvRow,
  readTranslationsCsv,
  type TemplateTexts,
  textRows,
  translationsCsv,
  withCsvTexts,
} from './translations/csv.ts';
