import { isObject } from '../../json.ts';
import type { Schema } from '../conditions.ts';
import { type Alternative, alternativesFor } from './alternatives.ts';
import { needOf } from './apply.ts';
import type { Rule, Shape } from './shape.ts';

const nameOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

const indented = (text: string): string => text.replaceAll('\n', '\n  ');

const commentAbove = (lines: readonly string[]): string => {
  if (lines.length === 0) return '';
  const safe = lines.join(' ').replaceAll('*/', '* /').replaceAll(/\s+/g, ' ');
  return `  /** ${safe} */\n`;
};

const bracketed = (type: string): string => (/[|&]/.test(type) ? `(${type})` : type);

/** Whether a type consists of several, so that it stands in brackets before `[]`. */
const isCompound = ({ types, isRequired, rules }: Shape): boolean =>
  types.length + (isRequired ? 0 : 1) > 1 || rules.length > 0;

const listType = ({ items, least }: Shape): string => {
  const text = items ? typeWithNull(items) : 'unknown';
  const item = items && isCompound(items) ? `(${text})` : text;
  return least === 0 ? `readonly ${item}[]` : `readonly [${`${text}, `.repeat(least)}...${item}[]]`;
};

const ofType = (shape: Shape, type: string): string => {
  if (type === 'array') return listType(shape);
  if (type !== 'object') return type;
  return render(shape);
};

const typeWithNull = (shape: Shape): string =>
  [...shape.types.map((type) => ofType(shape, type)), ...(shape.isRequired ? [] : ['null'])].join(' | ');

/** Parts of an object's type by name: of what is below, or a type. */
interface Part {
  isOptional: boolean;
  types: string[];
  below: Parts;
}

type Parts = Map<string, Part>;

const addTo = (
  parts: Parts,
  [name = '', ...rest]: readonly string[],
  types: readonly string[],
  isOptional: boolean,
): void => {
  const part: Part = parts.get(name) ?? { isOptional: true, types: [], below: new Map() };
  parts.set(name, part);
  part.isOptional &&= rest.length === 0 && isOptional;
  if (rest.length > 0) addTo(part.below, rest, types, isOptional);
  else part.types.push(types.join(' | '));
};

const partsType = (parts: Parts): string => {
  const texts = [...parts].map(([name, { isOptional, types, below }]) => {
    const all = [...types.map((type) => (types.length > 1 || below.size > 0 ? bracketed(type) : type))];
    if (below.size > 0) all.push(partsType(below));
    return `${nameOf(name)}${isOptional ? '?' : ''}: ${[...new Set(all)].join(' & ')}`;
  });
  return `{ ${texts.join('; ')} }`;
};

const alternativeType = (leaves: Alternative): string => {
  const parts: Parts = new Map();
  for (const { path, types, isOptional } of leaves) addTo(parts, path, types, isOptional);
  return partsType(parts);
};

/** What there is, of whatever type. */
const anything = 'NonNullable<unknown>';

/** A type for what a schema of needs asks for; what the object's own type says is not repeated. */
const needType = (shape: Shape, need: Schema): string => {
  const field = needOf(need);
  const child = field && shape.fields.get(field.name);
  if (field && child) {
    const inner = needType(child, field.inner);
    if (field.mustExist) return `{ ${nameOf(field.name)}: ${inner} }`;
    return `{ ${nameOf(field.name)}?: ${inner} | null }`;
  }
  const { items, additionalProperties, minItems } = need;
  if (isObject(additionalProperties) && shape.values) {
    return `Record<string, ${needType(shape.values, additionalProperties)}>`;
  }
  const item = isObject(items) && shape.items ? needType(shape.items, items) : 'unknown';
  if (typeof minItems === 'number' && minItems > 0)
    return `readonly [${`${item}, `.repeat(minItems)}...${bracketed(item)}[]]`;
  if (isObject(items)) return `readonly ${bracketed(item)}[]`;
  const isScalar = shape.types.every((type) => type !== 'object' && type !== 'array');
  return isScalar && shape.types.length > 0 ? shape.types.join(' | ') : anything;
};

const ruleType = (shape: Shape, { condition, needs }: Rule): string => {
  const otherwise = alternativesFor(condition, false, shape).map(alternativeType);
  const asked = needs.map((need) => needType(shape, need)).join(' & ');
  return `(${[...otherwise, asked].map((type) => `\n  | ${indented(type)}`).join('')}\n)`;
};

const objectType = (shape: Shape): string => {
  const fields = [...shape.fields].map(([name, field]) => {
    const mark = field.isRequired ? '' : '?';
    return `${commentAbove(field.comment)}  ${nameOf(name)}${mark}: ${indented(typeWithNull(field))};\n`;
  });
  const own = `{\n${fields.join('')}}`;
  return [own, ...shape.rules.map((rule) => ruleType(shape, rule))].join(' & ');
};

/** The type of an object, as TypeScript. */
export const render = (shape: Shape): string => {
  const { fields, values } = shape;
  const record = `Record<string, ${values ? typeWithNull(values) : 'unknown'}>`;
  if (fields.size === 0) return record;
  return values ? `${objectType(shape)} & ${record}` : objectType(shape);
};
