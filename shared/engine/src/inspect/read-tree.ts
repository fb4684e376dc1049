import type { Read } from '../parse/parse-context.ts';
import type { Program } from '../parse/parse-template.ts';
import type { ReadStep } from '../parse/parsed-path.ts';

/** All readings of a template at one path and below it. */
export interface ReadNode {
  readonly children: Map<string, ReadNode>;
  /** The items of the list that stands here. */
  item: ReadNode | undefined;
  /** Items that the list must have. */
  least: number;
  readonly reads: Read[];
  /** Read here or below outside any `#if` and without a `default`. */
  required: boolean;
}

const newNode = (): ReadNode => ({
  children: new Map(),
  item: undefined,
  least: 0,
  reads: [],
  required: false,
});

const stepInto = (node: ReadNode, step: ReadStep): ReadNode => {
  if (typeof step === 'string') {
    const child = node.children.get(step) ?? newNode();
    node.children.set(step, child);
    return child;
  }
  node.item ??= newNode();
  return node.item;
};

/** Whether a filter of a reading needs an item to be there. */
export const needsItem = (read: Read): boolean =>
  read.filters.some((name) => name === 'first' || name === 'last') && read.noticed;

const addRead = (root: ReadNode, read: Read): void => {
  let node = root;
  // A reading inside an `#if` is required only under its condition, which the requirements of the schema express.
  const isCertain = read.noticed && read.guards === undefined;
  for (const step of read.steps) {
    node.required ||= read.required;
    if (typeof step === 'number' && isCertain) node.least = Math.max(node.least, step + 1);
    node = stepInto(node, step);
  }
  node.required ||= read.required;
  if (needsItem(read)) {
    if (isCertain) node.least = Math.max(node.least, 1);
    node.item ??= newNode();
    node.item.required = true;
  }
  node.reads.push(read);
};

/** All readings of a template, as a tree from the root of the data. */
export const readTree = (program: Program): ReadNode => {
  const root = newNode();
  for (const read of program.reads) addRead(root, read);
  return root;
};
