/** The template engine: parse once, run often. Pure: no I/O, no clock, no randomness of its own. */

export { type InputField, type InputType, inputTypes, type KnownField } from './derive/fields.ts';
export { deriveInputs, type Inputs } from './derive/inputs.ts';
export { requestFormat } from './derive/request-format.ts';
export { type Block, fillIds } from './fill-ids.ts';
export { type FillResult, fillJson } from './interactivity/fill-json.ts';
export { type MessageMetadata, messageEvent, reservedKeyBytes } from './interactivity/metadata.ts';
export { type Limit, type LimitName, limits } from './limits.ts';
export { type ParseOptions, type ParseResult, type Program, parseTemplate } from './parse-template.ts';
export type { Surface } from './place.ts';
export { fallbackPointer, type Problem, type ProblemRule } from './problem.ts';
export type { ChatBlock, RunOptions } from './run-blocks.ts';
export { type RunResult, runProgram } from './run-program.ts';
export { type BlockSchema, blockSchema } from './schema/block-schema.ts';
export { type ParseViewResult, parseView, type ViewProgram, type ViewSource } from './view/parse-view.ts';
export { type ChatView, type RunViewResult, runView } from './view/run-view.ts';
