import { z } from 'zod';
import type { ValidationIssue } from './errors.ts';

/**
 * The declared keys and ids of a schema, which have alternative spellings: camelCase keys, ids in capitals. Free-form
 * parts have no plan: nothing inside them is an alias.
 */
export interface AliasPlan {
  /** camelCase → canonical, for every declared key of two words or more. */
  aliases: ReadonlyMap<string, string>;
  /** Plans of the values of declared keys. */
  children: ReadonlyMap<string, AliasPlan>;
  /** Plan of the items, for a list. */
  item?: AliasPlan;
  /** Items that the list may have; undefined for any number. */
  most?: number | undefined;
  /** The value is an id, which is the same in capitals. */
  isId?: true;
}

/** The result of canonical spelling. */
export interface Canonical {
  value: unknown;
  /** The camelCase keys of the input, as written. */
  used: string[];
  /** Keys given in both spellings with different values. */
  issues: ValidationIssue[];
}

const camel = (key: string): string =>
  key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const idPlan: AliasPlan = { aliases: new Map(), children: new Map(), isId: true };

/** Items that a list may have. */
const mostOf = ({ def }: z.ZodArray): number | undefined =>
  def.checks?.find((check) => check instanceof z.core.$ZodCheckMaxLength)?._zod.def.maximum;

const planOf = (schema: z.core.$ZodType): AliasPlan | undefined => {
  if (z.globalRegistry.get(schema)?.freeForm === true) return undefined;
  if (schema instanceof z.ZodObject) return objectPlan(schema);
  if (schema instanceof z.ZodGUID || schema instanceof z.ZodUUID) return idPlan;
  if (schema instanceof z.ZodArray) {
    const item = planOf(schema.def.element);
    return item && { aliases: new Map(), children: new Map(), item, most: mostOf(schema) };
  }
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  ) {
    return planOf(schema.def.innerType);
  }
  return schema instanceof z.ZodPipe ? planOf(schema.def.in) : undefined;
};

const objectPlan = (schema: z.ZodObject): AliasPlan | undefined => {
  const aliases = new Map<string, string>();
  const children = new Map<string, AliasPlan>();
  for (const [key, value] of Object.entries(schema.shape)) {
    if (camel(key) !== key) aliases.set(camel(key), key);
    const child = planOf(value);
    if (child) children.set(key, child);
  }
  return aliases.size > 0 || children.size > 0 ? { aliases, children } : undefined;
};

/** Derives the plan of a schema; undefined where it declares nothing with an alternative spelling. */
export const aliasPlan = (schema: z.ZodType | undefined): AliasPlan | undefined => schema && planOf(schema);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const givenTwice = (path: (string | number)[], name: string): ValidationIssue => ({
  code: 'custom',
  path,
  message: `given twice with different values, as ${name} and ${camel(name)}; keep ${name}`,
});

/**
 * Rewrites camelCase keys to their canonical names and ids to lower case. The input is not changed; without an
 * alternative spelling it is returned unchanged.
 */
export const canonicalize = (plan: AliasPlan | undefined, input: unknown): Canonical => {
  const used: string[] = [];
  const issues: ValidationIssue[] = [];
  const rewrite = (at: AliasPlan | undefined, value: unknown, path: (string | number)[]): unknown => {
    if (!at) return value;
    if (at.isId) return typeof value === 'string' ? value.toLowerCase() : value;
    if (Array.isArray(value)) return rewriteList(at, value, path);
    return isObject(value) ? rewriteObject(at, value, path) : value;
  };
  const rewriteList = (at: AliasPlan, list: unknown[], path: (string | number)[]): unknown[] => {
    // A list that is too long is refused as it is: a body can hold a hundred thousand items.
    if (!at.item || list.length > (at.most ?? list.length)) return list;
    const items = list.map((item, index) => rewrite(at.item, item, [...path, index]));
    return items.some((item, index) => item !== list[index]) ? items : list;
  };
  // By the declared keys, of which there are few: a body can hold tens of thousands of others.
  const rewriteObject = (at: AliasPlan, value: Record<string, unknown>, path: (string | number)[]) => {
    const changed: Record<string, unknown> = {};
    const read = (name: string, key = name) => rewrite(at.children.get(name), value[key], [...path, name]);
    const given = [...at.aliases].filter(([alias]) => Object.hasOwn(value, alias));
    for (const [alias, name] of given) {
      used.push(alias);
      changed[name] = read(name, alias);
      if (Object.hasOwn(value, name) && JSON.stringify(read(name)) !== JSON.stringify(changed[name]))
        issues.push(givenTwice([...path, name], name));
    }
    for (const name of at.children.keys()) {
      if (Object.hasOwn(changed, name) || !Object.hasOwn(value, name)) continue;
      const child = read(name);
      if (child !== value[name]) changed[name] = child;
    }
    if (Object.keys(changed).length === 0) return value;
    const entries = { ...value, ...changed };
    for (const [alias] of given) delete entries[alias];
    return entries;
  };
  return { value: rewrite(plan, input, []), used, issues };
};
