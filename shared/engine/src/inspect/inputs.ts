import type { Program } from '../program/parse-template.ts';
import type { Schema } from './conditions.ts';
import {
  type DerivationOptions,
  type DerivedField,
  deriveFields,
  type InputField,
  type KnownField,
} from './fields.ts';
import { inputJsonSchemaOf } from './input-json-schema.ts';
import { readTree } from './read-tree.ts';

/** The inputs of a template. */
export interface Inputs {
  fields: InputField[];
  /** JSON Schema 2020-12 of the data. */
  json_schema: Schema;
  /** Conflicts between the sample data or the entity and the readings of a path. */
  warnings: string[];
}

const shown = ({
  isKnown: _,
  least: __,
  isMeasured: ___,
  isUnread: ____,
  wider: _____,
  fields,
  items,
  ...field
}: DerivedField): InputField => ({
  ...field,
  ...(fields && { fields: fields.map(shown) }),
  ...(items && { items: shown(items) }),
});

/**
 * Derives what a template reads from its program alone; types come from the entity first, then from the sample data,
 * then from how the value is used.
 *
 * @param options what decides where the readings and the sample data disagree
 */
export const deriveInputs = (
  program: Program,
  sample: unknown,
  known?: Readonly<Record<string, KnownField>>,
  options: DerivationOptions = {},
): Inputs => {
  const derived = deriveFields(readTree(program), sample, known, options);
  const { fields, warnings } = derived;
  const { schema, warnings: others } = inputJsonSchemaOf(program, derived);
  return { fields: fields.map(shown), json_schema: schema, warnings: [...warnings, ...others] };
};
