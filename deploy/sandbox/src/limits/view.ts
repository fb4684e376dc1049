import { findProblems } from './block-list.ts';
import { flag, isJsonObject, type Problem, text, typed } from './checks.ts';
import { plainText } from './composition.ts';
import { maxOf } from './table.ts';

/** The whole view as JSON text. */
const VIEW_BYTES_MAX = maxOf('view.bytes');

const shared = {
  // Blocks are checked one by one below, with their own pointers.
  blocks: () => undefined,
  private_metadata: text({ min: 0, max: 3_000 }),
  callback_id: text({ max: 255 }),
  external_id: text({ max: 255 }),
};

const view = typed({
  modal: {
    required: { title: plainText(maxOf('view.title')), blocks: shared.blocks },
    optional: {
      ...shared,
      submit: plainText(maxOf('view.submit')),
      close: plainText(maxOf('view.close')),
      clear_on_close: flag,
      notify_on_close: flag,
      submit_disabled: flag,
    },
    rules: [
      (modal, pointer, report) => {
        if (modal.submit === undefined && blockTypes(modal.blocks).includes('input')) {
          report(pointer, 'missing required field: submit, since the view holds an input');
        }
      },
    ],
  },
  home: { required: { blocks: shared.blocks }, optional: shared },
});

function blockTypes(blocks: unknown): unknown[] {
  return Array.isArray(blocks) ? blocks.map((block) => (isJsonObject(block) ? block.type : undefined)) : [];
}

/** Counts the elements of a view with `focus_on_load`. */
function focused(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, entry) => sum + focused(entry), 0);
  if (!isJsonObject(value)) return 0;
  const own = value.focus_on_load === true ? 1 : 0;
  return Object.values(value).reduce<number>((sum, field) => sum + focused(field), own);
}

/** A view that the platform would not show: its error name and every breach. */
export interface ViewRefusal {
  readonly error: 'invalid_arguments' | 'view_too_large';
  readonly problems: readonly Problem[];
}

/** Why a modal or home view is refused; undefined when it is valid. */
export function findViewRefusal(value: unknown): ViewRefusal | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(value) ?? '');
  if (bytes > VIEW_BYTES_MAX) {
    const reason = `must be at most ${VIEW_BYTES_MAX} bytes, not ${bytes}`;
    return { error: 'view_too_large', problems: [{ pointer: '/view', reason }] };
  }
  const problems: Problem[] = [];
  view(value, '/view', (pointer, reason) => problems.push({ pointer, reason }));
  if (isJsonObject(value)) problems.push(...findProblems(value.blocks, 'view', '/view/blocks'));
  if (focused(value) > 1) {
    problems.push({ pointer: '/view/blocks', reason: 'focus_on_load is allowed on one element' });
  }
  return problems.length === 0 ? undefined : { error: 'invalid_arguments', problems };
}
