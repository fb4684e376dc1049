import type { InputField } from '../inspect/fields.ts';
import type { InputType } from '../inspect/value-type.ts';

/** An input whose type is another one. */
export interface RetypedInput {
  path: string;
  from: InputType;
  to: InputType;
}

/** How the inputs of two versions differ, by path. */
export interface ComparedInputs {
  /** Required now, and not before. */
  required: string[];
  /** Read now, and not before; the required ones are listed there, too. */
  added: string[];
  /** Read before, and not any more. */
  gone: string[];
  retyped: RetypedInput[];
}

const flatten = (fields: readonly InputField[]): InputField[] =>
  fields.flatMap((field) => [
    field,
    ...flatten(field.fields ?? []),
    ...(field.items ? flatten([field.items]) : []),
  ]);

const byPath = (fields: readonly InputField[]): Map<string, InputField> =>
  new Map(flatten(fields).map((field) => [field.path, field]));

/**
 * Compares what two versions read. Derive both from the same entity and sample data: another sample retypes inputs as well.
 */
export const compareInputs = (
  before: readonly InputField[],
  after: readonly InputField[],
): ComparedInputs => {
  const [old, now] = [byPath(before), byPath(after)];
  const compared: ComparedInputs = { required: [], added: [], gone: [], retyped: [] };
  for (const [path, field] of now) {
    const was = old.get(path);
    if (field.required && !was?.required) compared.required.push(path);
    if (was === undefined) compared.added.push(path);
    else if (was.type !== field.type) compared.retyped.push({ path, from: was.type, to: field.type });
  }
  for (const path of old.keys()) if (!now.has(path)) compared.gone.push(path);
  return compared;
};
