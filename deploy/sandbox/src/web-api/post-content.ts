import { findProblems } from '../limits/block-list.ts';
import { isJsonObject, type Problem } from '../limits/checks.ts';
import { findTotalBreach } from '../limits/message-totals.ts';
import { readMetadata } from '../limits/metadata.ts';
import type { Metadata } from '../world/message.ts';
import { type Arguments, structuredArgument, textArgument } from './arguments.ts';
import { type Refusal, refuse } from './method.ts';

const MARKDOWN_TEXT_MAX = 12_000;
const ATTACHMENTS_MAX = 100;

/** Part of a message, or the platform's refusal. */
export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: Refusal };

function refused(error: string, problems: readonly Problem[] = []): { ok: false; refusal: Refusal } {
  if (problems.length === 0) return { ok: false, refusal: refuse(error) };
  const errors = problems.map(({ pointer, reason }) => `${reason} [json-pointer:${pointer}]`);
  const messages = errors.map((line) => `[ERROR] ${line}`);
  return { ok: false, refusal: { ok: false, error, errors, response_metadata: { messages } } };
}

/** Reads argument `blocks` and checks every limit of the platform; absent blocks are an empty list. */
export function readBlocks(args: Arguments): Read<readonly unknown[]> {
  const given = structuredArgument(args, 'blocks');
  if (given.state === 'absent') return { ok: true, value: [] };
  if (given.state === 'malformed' || !Array.isArray(given.value)) return refused('invalid_blocks_format');
  const blocks: readonly unknown[] = given.value;
  const problems = findProblems(blocks, 'message', '/blocks');
  if (problems.length > 0) return refused('invalid_blocks', problems);
  const breach = findTotalBreach(blocks);
  return breach === undefined ? { ok: true, value: blocks } : refused(breach.error, [breach.problem]);
}

/** Reads argument `attachments`, whose blocks have the same limits as the message's own. */
export function readAttachments(args: Arguments): Read<readonly unknown[]> {
  const given = structuredArgument(args, 'attachments');
  if (given.state === 'absent') return { ok: true, value: [] };
  if (given.state === 'malformed' || !Array.isArray(given.value)) return refused('invalid_attachments');
  const attachments: readonly unknown[] = given.value;
  if (attachments.length > ATTACHMENTS_MAX) return refused('too_many_attachments');
  const problems = attachments.flatMap((attachment, index) => {
    const pointer = `/attachments/${index}`;
    if (!isJsonObject(attachment)) return [{ pointer, reason: 'must provide an object' }];
    return attachment.blocks === undefined
      ? []
      : findProblems(attachment.blocks, 'message', `${pointer}/blocks`);
  });
  return problems.length === 0 ? { ok: true, value: attachments } : refused('invalid_attachments', problems);
}

/** Reads argument `metadata`; absent metadata is null. */
export function readMessageMetadata(args: Arguments): Read<Metadata | null> {
  const given = structuredArgument(args, 'metadata');
  if (given.state === 'absent') return { ok: true, value: null };
  if (given.state === 'malformed') return refused('invalid_metadata_format');
  const result = readMetadata(given.value);
  return result.ok ? { ok: true, value: result.metadata } : refused(result.error);
}

/** Reads argument `markdown_text`, which excludes `text` and `blocks`; absent text is empty. */
export function readMarkdownText(args: Arguments): Read<string> {
  const markdown = textArgument(args, 'markdown_text');
  if (markdown === undefined) return { ok: true, value: '' };
  const alone =
    structuredArgument(args, 'blocks').state === 'absent' && textArgument(args, 'text') === undefined;
  if (!alone) return refused('markdown_text_conflict');
  return [...markdown].length > MARKDOWN_TEXT_MAX ? refused('msg_too_long') : { ok: true, value: markdown };
}
