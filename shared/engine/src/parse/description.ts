import type { JsonObject } from '../json.ts';
import type { LimitName } from '../limits.ts';

/** A table of the catalogue whose entries others refer to by name. */
export type TableName = 'blocks' | 'elements' | 'rich_text' | 'cells' | 'charts' | 'interactions';

/** The keys of an object, as `block-schema` prints them. */
export type ShapeDescription = {
  readonly fields: Readonly<Record<string, FieldDescription>>;
  readonly rules?: readonly JsonObject[];
};

/** One key of an object. */
export type FieldDescription = Description & { readonly required: boolean };

/** The description of a value of a template: `block-schema` prints it, and its JSON Schema is made from it. */
export type Description =
  /** A text for people. */
  | {
      readonly kind: 'text';
      readonly limit: LimitName;
      readonly escaped: boolean;
      /** An empty text is a value of its own, and not one that is left out. */
      readonly may_be_empty?: true;
    }
  /** A text for machines, never cut. */
  | {
      readonly kind: 'exact';
      readonly limit: LimitName;
      readonly may_be_empty?: true;
      readonly form?: string;
      readonly pattern?: string;
    }
  | { readonly kind: 'id'; readonly limit: LimitName }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'string' }
  | {
      readonly kind: 'choice';
      readonly values: readonly (string | number)[];
      /** No placeholder can make the choice. */
      readonly written?: true;
    }
  | { readonly kind: 'integer'; readonly limit?: LimitName }
  | { readonly kind: 'number'; readonly above?: number }
  | {
      readonly kind: 'list';
      readonly limit: LimitName;
      readonly of: Description;
      /** The list may be given by a `source` of the data. */
      readonly bound?: true;
      /** Items are plain values, so that one placeholder may stand for the whole list. */
      readonly whole?: true;
    }
  /** A list without directives. */
  | { readonly kind: 'plain_list'; readonly limit: LimitName; readonly of: Description }
  /** One of the entries of a table. */
  | { readonly kind: 'one_of'; readonly table: TableName; readonly types: readonly string[] }
  /** One of a few objects, told apart by their `type`. */
  | { readonly kind: 'variants'; readonly variants: Readonly<Record<string, ShapeDescription>> }
  | ({ readonly kind: 'object' } & ShapeDescription)
  | { readonly kind: 'nullable'; readonly of: Description }
  /** The blocks of a message. */
  | { readonly kind: 'blocks' }
  /** Any JSON value, with placeholders in its strings. */
  | { readonly kind: 'json' }
  /** A text with placeholders that is evaluated for each item of a `source`. */
  | { readonly kind: 'item_text'; readonly limit: LimitName }
  /** Maximum number of items shown: a number of the template. */
  | { readonly kind: 'count' }
  /** A path to a list of the data. */
  | { readonly kind: 'path' }
  /** The name that the item of a list is bound to. */
  | { readonly kind: 'name' }
  | { readonly kind: 'type' };
