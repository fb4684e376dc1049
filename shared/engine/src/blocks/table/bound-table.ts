import { parsePath } from '../../expressions/placeholders/path.ts';
import { type Reader, readerOf } from '../../expressions/placeholders/reference.ts';
import { pathAlone } from '../../expressions/placeholders/scan.ts';
import { checkKeys } from '../../grammar/keys.ts';
import { parseNative } from '../../grammar/native-form.ts';
import { describeShape, object, type Shape } from '../../grammar/object.ts';
import {
  checkReadsItem,
  evaluate,
  gather,
  parseSource,
  pinnedAt,
  type Source,
  sourceForm,
} from '../../grammar/source.ts';
import type { Kind } from '../../grammar/typed.ts';
import { isList, isObject, type JsonObject, only, without } from '../../json.ts';
import { type LimitName, limitOf } from '../../limits.ts';
import type { Description, ShapeDescription } from '../../parse/description.ts';
import { fixed, made, type Node } from '../../parse/node.ts';
import {
  contextIn,
  overLimit,
  type ParseContext,
  reportType,
  underLimit,
} from '../../parse/parse-context.ts';
import { makeOrLeaveOut } from '../../run/leave-out.ts';
import { type Emit, spendOutput } from '../../run/run.ts';
import { cell, columnFields, emptyCell, textCell } from './native-table.ts';

interface Column {
  readonly header: Node;
  readonly value: Node;
  /** Its display; undefined when the template does not set it. */
  readonly setting: Node | undefined;
}

/** The keys of a table that a `source` fills. */
const patternKeys = ['source', 'as', 'columns', 'max_rows', 'overflow_text'];
const columnKeys = { required: ['header', 'value'], optional: Object.keys(columnFields) };
const setting = object('column', { fields: columnFields });

/** Reads the number behind a placeholder that stands alone, so that readers can sort by it. */
const numberReader = (text: string, context: ParseContext): Reader | undefined => {
  const written = pathAlone(text);
  // A text in languages is no number.
  const isText = written === undefined || written.startsWith('@t');
  const path = isText ? undefined : parsePath(written, context);
  return path && readerOf(path.reference);
};

/** A cell that is a number where the data has one, shown as the template writes it. */
const numberCell = (text: unknown, node: Node, context: ParseContext): Node => {
  const read = typeof text === 'string' ? numberReader(text, context) : undefined;
  if (read === undefined || node.fixed) return node;
  return made((run) => {
    const shown = node.make(run);
    const value = read(run);
    if (!isObject(shown) || typeof value !== 'number' || !Number.isFinite(value)) return shown;
    return { type: 'raw_number', value, text: shown.text };
  });
};

const parseColumn = (
  value: unknown,
  context: ParseContext,
  source: Source,
  numbers: boolean,
): Column | undefined => {
  if (!isObject(value)) return reportType(context, 'a column', value);
  const { header: head, value: text } = value;
  const sound = checkKeys(value, columnKeys, 'column', context);
  const inside = pinnedAt({ ...source.inside, pointer: context.pointer }, 'value');
  const header = head === undefined ? undefined : cell.parse(textCell(head), pinnedAt(context, 'header'));
  const shown = text === undefined ? undefined : cell.parse(textCell(text), inside);
  const reads = checkReadsItem(text, inside);
  const given = only(value, columnKeys.optional);
  const looks = setting.parse(given, context);
  if (!sound || !reads || header === undefined || shown === undefined || looks === undefined)
    return undefined;
  return {
    header,
    value: numbers ? numberCell(text, shown, inside) : shown,
    setting: Object.keys(given).length > 0 ? looks : undefined,
  };
};

const parseColumns = (
  value: JsonObject,
  context: ParseContext,
  source: Source,
  { cells, numbers }: BoundTable,
): Column[] | undefined => {
  const at = contextIn(context, 'columns');
  const { columns } = value;
  if (!isList(columns)) return reportType(at, 'a list of columns', columns);
  const { max } = limitOf(cells);
  if (columns.length > max) context.parsing.problems.add(overLimit(at.pointer, cells, columns.length));
  if (columns.length === 0) context.parsing.problems.add(underLimit(at.pointer, cells, 0));
  const parsed = columns
    .slice(0, 4 * max)
    .map((column, index) => parseColumn(column, contextIn(at, index), source, numbers));
  const sound = parsed.filter((column) => column !== undefined);
  return sound.length === columns.length ? sound : undefined;
};

/** Emits a row; a cell that comes out empty keeps its place. */
const rowOf =
  (nodes: readonly Node[]): Emit =>
  (run, out) => {
    spendOutput(run, 1 + nodes.length, 32 * nodes.length);
    out.push(
      run.leavesOut
        ? nodes.map((node) => makeOrLeaveOut(run, () => evaluate(node, run)) ?? emptyCell)
        : nodes.map((node) => evaluate(node, run) ?? emptyCell),
    );
  };

const parseOverflow = (value: JsonObject, source: Source): Emit | false | undefined => {
  const { overflow_text: text } = value;
  if (text === undefined) return undefined;
  const note = cell.parse(textCell(text), pinnedAt(source.beyond, 'overflow_text'));
  return note === undefined ? false : rowOf([note]);
};

/** The binding of a table to a list. */
interface BoundTable {
  readonly type: string;
  readonly shape: Shape;
  readonly rows: LimitName;
  readonly cells: LimitName;
  /** Cells may be numbers. */
  readonly numbers: boolean;
}

/** One entry for each column; null leaves a column as the platform shows it. */
const settingsOf = (settings: readonly (Node | undefined)[]): Node =>
  made((run) => settings.map((node) => (node === undefined ? null : (evaluate(node, run) ?? null))));

const parseBoundTable = (value: JsonObject, context: ParseContext, table: BoundTable): Node | undefined => {
  const native = without(value, patternKeys);
  // The header takes a row.
  const source = parseSource(value, 'max_rows', context, { limit: table.rows, taken: 1 });
  const columns = source && parseColumns(value, context, source, table);
  const overflow = source && parseOverflow(value, source);
  if (source === undefined || columns === undefined || overflow === false) {
    // Continues, so that other problems of the block are reported too.
    parseNative(
      native,
      { ...table, patternKeys, nodes: { rows: fixed([]) } },
      `${table.type} block`,
      context,
    );
    return undefined;
  }
  const header = rowOf(columns.map((column) => column.header));
  const body = source.emitAll(rowOf(columns.map((column) => column.value)), overflow);
  const emit: Emit = (run, out) => {
    header(run, out);
    body(run, out);
    // A header alone is no table.
    if (out.length === 1) out.pop();
  };
  const rows = made(gather(emit, table.rows, source.pointer));
  const settings = columns.map((column) => column.setting);
  const hasSettings = !table.numbers && settings.some((it) => it !== undefined);
  const nodes = { rows, ...(hasSettings && { column_settings: settingsOf(settings) }) };
  return parseNative(native, { ...table, patternKeys, nodes }, `${table.type} block`, context);
};

const boundForm = ({ shape, cells, type }: BoundTable): ShapeDescription => {
  const { fields } = describeShape(shape);
  const { fields: looks } = describeShape({ fields: columnFields });
  const itemText = { kind: 'item_text', limit: 'table.cell' } as const;
  const column: Description = {
    kind: 'object',
    fields: {
      header: { kind: 'text', limit: 'table.cell', escaped: false, required: true },
      value: { ...itemText, required: true },
      ...looks,
    },
  };
  return {
    fields: {
      ...Object.fromEntries(
        Object.entries(fields).filter(([key]) => key !== 'rows' && key !== 'column_settings'),
      ),
      ...sourceForm('max_rows'),
      columns: { kind: 'plain_list', limit: cells, of: column, required: true },
      overflow_text: { ...itemText, required: false },
    },
    rules: type === 'data_table' ? [{ no_effect: 'columns/align' }] : [],
  };
};

/** A kind of table whose rows may come from a `source`, one for each item. */
export const boundTable = (table: BoundTable, kind: Kind): Kind => ({
  ...kind,
  shape: { ...kind.shape, boundKeys: patternKeys },
  boundForm: boundForm(table),
  around: (value, context, parser) =>
    Object.hasOwn(value, 'source') ? parseBoundTable(value, context, table) : parser(value, context),
});
