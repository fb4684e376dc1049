import { Ajv2020 } from 'ajv/dist/2020.js';
import { deriveInputs, type Inputs, parseTemplate } from '../index.ts';
import { directive } from './compile.ts';

/** The program of a message whose blocks have no problem. */
export const programOf = (blocks: readonly unknown[]) => {
  const parsed = parseTemplate(blocks, { surface: 'message' });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.program;
};

/** The inputs of blocks. */
export const derive = (blocks: readonly unknown[], sample: unknown = {}, known = {}): Inputs =>
  deriveInputs(programOf(blocks), sample, known);

/** Compiles schemas that are used a few times each: to optimize their code takes longer than to run it. */
export const ajv = new Ajv2020({
  strict: true,
  strictTypes: false,
  strictRequired: false,
  ownProperties: true,
  code: { optimize: false },
});

/** Whether data fits the JSON Schema of inputs. */
export const accepts = ({ json_schema }: Inputs) => {
  const check = ajv.compile(json_schema);
  return (data: unknown): boolean => check(data);
};

/** The type of each field by its name. */
export const typesOf = ({ fields }: Inputs) =>
  Object.fromEntries(fields.map((field) => [field.name, field.type]));

/** Blocks that are shown on a condition. */
export const whenOn = (condition: object, children: unknown[], more: object = {}) =>
  directive('#if', { condition, children, ...more });
