import { isJsonObject } from '../limits/checks.ts';
import { findViewRefusal } from '../limits/view.ts';
import type { OpenView } from '../world/view-store.ts';
import { type Arguments, structuredArgument } from './arguments.ts';
import { type Refusal, refuse } from './method.ts';

/** A valid view, or its refusal. */
export type ViewResult =
  | { readonly ok: true; readonly view: OpenView['view'] }
  | { readonly ok: false; readonly refusal: Refusal };

/** Checks a view against every limit of the platform. */
export function checkView(value: unknown): ViewResult {
  const refusal = findViewRefusal(value);
  if (refusal !== undefined) {
    const messages = refusal.problems.map(
      ({ pointer, reason }) => `[ERROR] ${reason} [json-pointer:${pointer}]`,
    );
    return { ok: false, refusal: { ok: false, error: refusal.error, response_metadata: { messages } } };
  }
  if (!isJsonObject(value) || value.type !== 'modal')
    return { ok: false, refusal: refuse('invalid_arguments') };
  return { ok: true, view: value };
}

/** Reads argument `view`. */
export function readView(args: Arguments): ViewResult {
  const given = structuredArgument(args, 'view');
  if (given.state !== 'present') return { ok: false, refusal: refuse('invalid_arguments') };
  return checkView(given.value);
}

/** An open view as methods and payloads present it. */
export function viewReply({
  id,
  workspace,
  rootId,
  previousId,
  hash,
  view,
}: OpenView): Record<string, unknown> {
  return {
    id,
    team_id: workspace,
    root_view_id: rootId,
    previous_view_id: previousId,
    hash,
    private_metadata: '',
    callback_id: '',
    ...view,
  };
}
