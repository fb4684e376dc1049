import type { ModalViewSource, Problem } from '@stanza/contracts';
import {
  deriveInputs,
  type FillResult,
  fillJson,
  type Inputs as InputSchema,
  type KnownField,
  type MessageOptions,
  type Program,
  pathCharacters,
  requestFormat,
  runProgram,
  runWithWarnings,
} from '@stanza/engine';
import { type DataEffect, effectOf } from '@stanza/engine/impact';
import {
  type Compiled,
  compile,
  type Inputs,
  inOwnLanguage,
  type Parsed,
  type Refused,
  runOver,
} from '../domain/compilation.ts';
import { digestWithWarnings, runDigest } from '../domain/digest.ts';
import { problemsOfTemplate } from '../domain/pointers.ts';
import { type MadeView, makeView, type ViewInputs } from '../domain/views.ts';
import { charactersOf, type Task, type TemplateSource } from './task.ts';
import { withTranslationProblems } from './translation-problems.ts';

/** A template, what is filled into it, and the moment that relative dates count from. */
export interface MessageArguments {
  source: TemplateSource;
  inputs: Inputs;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Makes a message. */
export const messageTask: Task<MessageArguments, Compiled | Refused> = {
  name: 'message',
  charactersOf: ({ source }) => charactersOf(source),
  run: ({ source, inputs, now }, { parse, part }) => compile(parse(source), inputs, new Date(now), part),
};

/** What checking blocks that are not yet a version finds out. */
export interface CheckedSource {
  /** Every path read by the blocks; where some cannot be parsed, those of the others. */
  requestFormat: Record<string, null>;
  result: Compiled | Refused;
}

/** Characters of all paths of a version: they are stored next to its blocks, and may take as much. */
const maxPathCharacters = 524_288;

const longPaths: Refused = {
  ok: false,
  code: 'compilation_failed',
  problems: [
    {
      pointer: '/blocks',
      rule: 'budget',
      message: `All paths that a template reads have ${maxPathCharacters} characters at most, each written from the top of the data, also inside a loop. Shorten the names, or read fewer.`,
    },
  ],
};

/** Checks blocks that are not yet a version. */
export const draftTask: Task<MessageArguments, CheckedSource> = {
  name: 'draft',
  charactersOf: ({ source }) => charactersOf(source) * (1 + (source.languages ?? 0)),
  run: ({ source, inputs, now }, { parse, part }) => {
    const parsed = parse(source);
    // First, since it may have to begin again elsewhere.
    const compiled = compile(parsed, inputs, new Date(now), part);
    const result = withTranslationProblems(compiled, parsed, source, inputs.ownLocale);
    const own = inOwnLanguage(parsed, inputs.ownLocale);
    const read = own.ok ? own.program : own;
    if (pathCharacters(read) > maxPathCharacters) return { requestFormat: {}, result: longPaths };
    return { requestFormat: requestFormat(read), result };
  },
};

/** A view, and what is filled into it. */
export interface ViewArguments {
  view: ModalViewSource;
  inputs: ViewInputs;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Makes a view of a modal. */
export const viewTask: Task<ViewArguments, MadeView | Refused> = {
  name: 'view',
  charactersOf: ({ view }) => JSON.stringify(view).length,
  run: ({ view, inputs, now }, { part }) => makeView(view, inputs, new Date(now), part),
};

/** How values are shown, and the moment that relative dates count from. */
export interface Manner extends Omit<MessageOptions, 'now' | 'part'> {
  /** Milliseconds since the epoch. */
  now: number;
}

const runOptionsOf = ({ now, ...manner }: Manner): MessageOptions => ({ ...manner, now: new Date(now) });

/** JSON with placeholders, and what is filled into it. */
export interface JsonArguments {
  json: unknown;
  data: Record<string, unknown>;
  options: Manner;
  /** The paths of values that the message has stored. */
  saved: readonly string[];
}

/** Fills placeholders of any JSON. */
export const jsonTask: Task<JsonArguments, FillResult> = {
  name: 'json',
  charactersOf: ({ json }) => JSON.stringify(json).length,
  run: ({ json, data, options, saved }, { part }) =>
    fillJson(json, data, { ...runOptionsOf(options), saved: new Set(saved), part }),
};

/** A template, and what is known of its data. */
export interface InputsArguments {
  source: TemplateSource;
  sample: Record<string, unknown>;
  known: Record<string, KnownField>;
  /** That of the template. */
  ownLocale?: string | undefined;
  /** `reads`: lists and objects that the template goes into outrank the entity and the sample. */
  prefer?: 'reads';
}

/** The inputs of a template, or why it has none. */
export type DerivedInputs = ({ ok: true } & InputSchema) | { ok: false; problems: Problem[] };

/** Derives the inputs of a template, which goes through it several times. */
export const inputsTask: Task<InputsArguments, DerivedInputs> = {
  name: 'inputs',
  charactersOf: ({ source }) => 4 * charactersOf(source),
  run: ({ source, sample, known, ownLocale, prefer }, { parse }) => {
    const parsed = inOwnLanguage(parse(source), ownLocale);
    if (!parsed.ok) return { ok: false, problems: problemsOfTemplate(parsed.problems, parsed.partials) };
    return { ok: true, ...deriveInputs(parsed.program, sample, known, { prefer }) };
  },
};

const programOf = (parsed: Parsed): Program => {
  if (!parsed.ok) throw new Error('an effect is told of templates that compile');
  return parsed.program;
};

/** Two versions of a template that compile, and data for both. */
export interface EffectArguments {
  after: TemplateSource;
  before: TemplateSource | undefined;
  data: Record<string, unknown>;
  options: { after: Manner; before: Manner };
}

/** Compares what a version and the previous one make of data. */
export const effectTask: Task<EffectArguments, DataEffect> = {
  name: 'effect',
  charactersOf: ({ after, before }) => Math.max(charactersOf(after), before ? charactersOf(before) : 0),
  run: ({ after, before, data, options }, { parse, part }) => {
    const [program, programBefore] = [programOf(parse(after)), before && programOf(parse(before))];
    const optionsOf = (manner: Manner): MessageOptions => ({ ...runOptionsOf(manner), part });
    const [now, was] = [optionsOf(options.after), optionsOf(options.before)];
    return effectOf(
      runOver(data, now, digestWithWarnings, (given) => runWithWarnings(program, given, now)),
      programBefore &&
        (() => runOver(data, was, runDigest, (given) => runProgram(programBefore, given, was))),
    );
  },
};

/** Every task, for a thread that is told the name of one. */
export const tasks = [messageTask, draftTask, viewTask, jsonTask, inputsTask, effectTask] as const;
