import { type Arguments, textArgument } from './arguments.ts';
import { type Refusal, refuse, type Success } from './method.ts';

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 1_000;
const CURSOR_PREFIX = 'at:';

/** Where a cursor points to; undefined when it is invalid. */
function startOf(args: Arguments): number | undefined {
  const cursor = textArgument(args, 'cursor');
  if (cursor === undefined || cursor === '') return 0;
  const text = Buffer.from(cursor, 'base64').toString('utf8');
  const start = text.startsWith(CURSOR_PREFIX) ? Number(text.slice(CURSOR_PREFIX.length)) : Number.NaN;
  return Number.isInteger(start) && start > 0 ? start : undefined;
}

/** One page of a list under its name, with a cursor that is empty on the last page, as the platform's. */
export function listPage(name: string, items: readonly unknown[], args: Arguments): Success | Refusal {
  const start = startOf(args);
  if (start === undefined) return refuse('invalid_cursor');
  const limit = Number(textArgument(args, 'limit') ?? LIMIT_DEFAULT);
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) return refuse('invalid_limit');
  const end = start + limit;
  const next_cursor = end < items.length ? Buffer.from(`${CURSOR_PREFIX}${end}`).toString('base64') : '';
  return { ok: true, [name]: items.slice(start, end), response_metadata: { next_cursor } };
}
