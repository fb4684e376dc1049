import { LENGTH } from '../expressions/placeholders/value-at.ts';
import type { Read } from '../parse/parse-context.ts';
import type { Program } from '../program/parse-template.ts';
import type { ReadStep } from '../run/path-text.ts';

/** All readings of a template at one path and below it. */
export interface ReadNode {
  readonly children: Map<string, ReadNode>;
  /** The items of the list that stands here, or the values of the object that a loop goes over. */
  item: ReadNode | undefined;
  /** A loop goes over what stands here. */
  isLooped: boolean;
  /** Single items are read: what stands here is a list. */
  isIndexed: boolean;
  /** A loop reads the keys of what stands here. */
  isKeyed: boolean;
  /** Items that the list must have. */
  least: number;
  readonly reads: Read[];
  /** Read here or below outside any `#if` and without a `default`. */
  required: boolean;
}

/** A node that nothing reads. */
export const newNode = (): ReadNode => ({
  children: new Map(),
  item: undefined,
  isLooped: false,
  isIndexed: false,
  isKeyed: false,
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
  if (step === null) node.isLooped = true;
  else node.isIndexed = true;
  node.item ??= newNode();
  return node.item;
};

/** Whether nothing is read inside a value. */
const isLeaf = ({ children, item, isLooped }: ReadNode): boolean =>
  children.size === 0 && item === undefined && !isLooped;

/** The reading of the length of what stands here, where that may be a list or a text. */
export const lengthIn = ({ children }: ReadNode): ReadNode | undefined => {
  const length = children.get(LENGTH);
  return length !== undefined && isLeaf(length) ? length : undefined;
};

/** Whether keys are read that an object alone has. */
export const hasKeys = (node: ReadNode): boolean =>
  node.children.size > (lengthIn(node) === undefined ? 0 : 1);

const bothNodes = (one: ReadNode | undefined, other: ReadNode | undefined): ReadNode | undefined =>
  one === undefined || other === undefined ? (one ?? other) : joinNodes(one, other);

/** The readings of one value by its own key, and as one of the values that a loop goes over. */
export const joinNodes = (own: ReadNode, visited: ReadNode): ReadNode => {
  const children = new Map(own.children);
  for (const [key, child] of visited.children) {
    const known = children.get(key);
    children.set(key, known === undefined ? child : joinNodes(known, child));
  }
  return {
    children,
    item: bothNodes(own.item, visited.item),
    isLooped: own.isLooped || visited.isLooped,
    isIndexed: own.isIndexed || visited.isIndexed,
    isKeyed: own.isKeyed || visited.isKeyed,
    least: Math.max(own.least, visited.least),
    reads: [...own.reads, ...visited.reads],
    required: own.required || visited.required,
  };
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
    node.isIndexed = true;
    node.item ??= newNode();
    node.item.required = true;
  }
  if (read.use === 'list') node.isLooped = true;
  if (read.use === 'keys') node.isKeyed = true;
  node.reads.push(read);
};

/** All readings of a template, as a tree from the root of the data. */
export const readTree = (program: Program): ReadNode => {
  const root = newNode();
  for (const read of program.reads) addRead(root, read);
  return root;
};
