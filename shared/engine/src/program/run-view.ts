import { isList, isObject } from '../json.ts';
import { limits } from '../limits.ts';
import type { Node } from '../parse/node.ts';
import { overLimit } from '../parse/parse-context.ts';
import { wantedOf } from '../run/people.ts';
import { noteProblem, type Run, warn, warnOfProgram } from '../run/run.ts';
import type { ViewProgram } from './parse-view.ts';
import {
  type ChatBlock,
  checkBytes,
  emitBlocks,
  type Failed,
  failed,
  messagesOf,
  type RunOptions,
  runWithin,
} from './run-blocks.ts';

/** A text object without marks. */
type PlainText = { type: 'plain_text'; text: string };

/** A modal view as the platform takes it; who opens it adds `private_metadata` and ids of its own. */
export type ChatView = {
  type: 'modal';
  title: PlainText;
  submit?: PlainText;
  close?: PlainText;
  /** May be empty; whether that can be opened is for the caller to say. */
  blocks: ChatBlock[];
};

/** The result of a run of a view. */
export type RunViewResult =
  | {
      readonly ok: true;
      readonly view: ChatView;
      readonly warnings: string[];
      readonly fieldsTruncated: number;
      /** E-mail addresses that `mention` wants the people of, in lower case; left out where there are none. */
      readonly mentions?: readonly string[];
    }
  | Failed;

const plain = (text: string): PlainText => ({ type: 'plain_text', text });

/** A label that comes out empty: the platform opens no view without its title, nor one with inputs without a submit. */
const standIns = { title: '…', submit_label: 'Submit', close_label: 'Cancel' } as const;

const makeLabel = (node: Node | undefined, key: keyof typeof standIns, run: Run): PlainText | undefined => {
  if (node === undefined) return undefined;
  const made = node.fixed ? node.value : node.make(run);
  if (typeof made === 'string' && made !== '') return plain(made);
  const standIn = standIns[key];
  warn(run, 'empty.dropped', `/${key}`, `the text came out empty, so it is ${JSON.stringify(standIn)}.`);
  return plain(standIn);
};

/** Counts elements that want the cursor when the view opens. */
const focused = (value: unknown): number => {
  if (isList(value)) return value.reduce<number>((sum, entry) => sum + focused(entry), 0);
  if (!isObject(value)) return 0;
  const own = value.focus_on_load === true ? 1 : 0;
  return Object.values(value).reduce<number>((sum, inner) => sum + focused(inner), own);
};

/** Elements that a person fills nothing in. */
const withoutInput: readonly unknown[] = ['button', 'overflow', 'workflow_button'];

/** The ids of the elements that a submission has the input of. */
const inputIds = (value: unknown): unknown[] => {
  if (isList(value)) return value.flatMap(inputIds);
  if (!isObject(value)) return [];
  const { action_id: id, type } = value;
  if (typeof id === 'string') return withoutInput.includes(type) ? [] : [id];
  return Object.values(value).flatMap(inputIds);
};

const checkView = (view: ChatView, run: Run): void => {
  if (view.blocks.length === 0) {
    warn(
      run,
      'empty.dropped',
      '/blocks',
      'every block is empty, and the platform opens no view without one.',
    );
  }
  const ids = inputIds(view.blocks);
  if (new Set(ids).size < ids.length) {
    const story =
      'fields share an `action_id`, so `interaction.form` has those of the later ones with a number, as `reason_1`.';
    warn(run, 'id.repeated', '/blocks', story);
  }
  checkBytes(run, view, 'view.bytes');
  const cursors = focused(view.blocks);
  if (cursors > limits['view.focus_on_load'].max) {
    noteProblem(run, overLimit('/blocks', 'view.focus_on_load', cursors));
  }
};

const finish = (program: ViewProgram, run: Run): RunViewResult => {
  warnOfProgram(run, program);
  const title = makeLabel(program.title, 'title', run) ?? plain(standIns.title);
  const submit = makeLabel(program.submit, 'submit_label', run);
  const close = makeLabel(program.close, 'close_label', run);
  const blocks = emitBlocks(program, run);
  const view: ChatView = { type: 'modal', title, ...(submit && { submit }), ...(close && { close }), blocks };
  checkView(view, run);
  if (run.problems !== undefined || run.dataProblems !== undefined) return failed(run);
  const mentions = wantedOf(run);
  const warnings = messagesOf(run);
  return { ok: true, view, warnings, fieldsTruncated: run.fieldsTruncated, ...(mentions && { mentions }) };
};

/**
 * Runs a view over data. The same view, data and options give the same result; no JSON data makes it throw, and none of
 * the inputs is changed.
 */
export const runView = (
  program: ViewProgram,
  data: Readonly<Record<string, unknown>>,
  options: RunOptions,
): RunViewResult => runWithin<RunViewResult>(data, options, (run) => finish(program, run));
