import {
  type ChatBlock,
  type Program,
  parseTemplate,
  parseView,
  type RunResult,
  type RunViewResult,
  runProgram,
  runView,
} from '@stanza/engine';
import type { Exhibit, Message, Modal } from './exhibits.ts';

/** When the gallery is compiled, for what tells how long ago something was. */
export const now = new Date('2026-11-21T08:30:00Z');

/** The result of an exhibit with data. */
export interface Outcome {
  /** The message or view. */
  readonly output: Readonly<Record<string, unknown>>;
  readonly blocks: readonly ChatBlock[];
  readonly warnings: readonly string[];
  readonly fieldsTruncated: number;
}

const sound = <R extends { readonly ok: boolean }>(slug: string, result: R): Extract<R, { ok: true }> => {
  if (isSound(result)) return result;
  throw new Error(`${slug} does not compile: ${JSON.stringify(result, null, 2)}`);
};

const isSound = <R extends { readonly ok: boolean }>(result: R): result is Extract<R, { ok: true }> =>
  result.ok;

const parseMessage = ({ slug, source }: Message) => {
  const { blocks, fallback_text: fallbackText } = source;
  const options = { surface: 'message', ...(fallbackText !== undefined && { fallbackText }) } as const;
  return sound(slug, parseTemplate(blocks, options)).program;
};

const parseModal = ({ slug, source }: Modal) => sound(slug, parseView(source)).program;

/** The program of an exhibit. */
export const programOf = (exhibit: Exhibit): Program =>
  exhibit.kind === 'message' ? parseMessage(exhibit) : parseModal(exhibit);

const compileMessage = (exhibit: Message, data: Exhibit['data']): Outcome => {
  const { locale, timezone } = exhibit.source;
  const options = { now, ...(locale && { locale }), ...(timezone && { timezone }) };
  const result: RunResult = runProgram(parseMessage(exhibit), data, options);
  const { blocks, text, metadata, warnings, fieldsTruncated } = sound(exhibit.slug, result);
  return { output: { blocks, text, ...(metadata && { metadata }) }, blocks, warnings, fieldsTruncated };
};

const compileModal = (exhibit: Modal, data: Exhibit['data']): Outcome => {
  const result: RunViewResult = runView(parseModal(exhibit), data, { now });
  const { view, warnings, fieldsTruncated } = sound(exhibit.slug, result);
  return { output: view, blocks: view.blocks, warnings, fieldsTruncated };
};

/** Compiles an exhibit with its own data, or with other data. */
export const compileExhibit = (exhibit: Exhibit, data: Exhibit['data'] = exhibit.data): Outcome =>
  exhibit.kind === 'message' ? compileMessage(exhibit, data) : compileModal(exhibit, data);
