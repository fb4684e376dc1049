import { isList, isObject } from '../../json.ts';
import type { Schema } from '../conditions.ts';
import { alternativesFor, fieldOf } from './alternatives.ts';
import { holds, maxSized } from './holds.ts';
import type { Shape } from './shape.ts';

/** The requirement on one field: that it exists, or only its type where it exists. */
interface Need {
  readonly name: string;
  readonly inner: Schema;
  readonly mustExist: boolean;
}

/** The field that a schema of requirements is about; there is one at a time. */
export const needOf = ({ required, properties }: Schema): Need | undefined => {
  const [entry] = Object.entries(isObject(properties) ? properties : {});
  if (entry === undefined || !isObject(entry[1])) return undefined;
  const [name, inner] = entry;
  return { name, inner, mustExist: isList(required) && required.includes(name) };
};

/** All values of an object that a loop goes over. */
const valuesOf = ({ fields, values }: Shape): Shape[] => (values ? [...fields.values(), values] : []);

/** Whether a schema refuses null. */
const refusesNull = (need: Schema): boolean => isObject(need.not) || needOf(need)?.mustExist === true;

const isValueMet = (value: Shape, need: Schema): boolean =>
  (value.isRequired || !refusesNull(need)) && isMet(value, need);

const isMet = (shape: Shape, need: Schema): boolean => {
  const { minItems, items, additionalProperties } = need;
  const field = needOf(need);
  const child = field && shape.fields.get(field.name);
  if (field && child) return (child.isRequired || !field.mustExist) && isMet(child, field.inner);
  if (typeof minItems === 'number' && minItems > shape.least) return false;
  if (isObject(additionalProperties)) {
    return valuesOf(shape).every((value) => isValueMet(value, additionalProperties));
  }
  return !isObject(items) || shape.items === undefined || isMet(shape.items, items);
};

/** Applies a schema of requirements to a shape. */
export const apply = (shape: Shape, need: Schema): void => {
  const { if: condition, then: needs } = need;
  if (isObject(condition) && isObject(needs)) applyRule(shape, condition, needs);
  else applyNeed(shape, need);
};

const applyNeed = (shape: Shape, need: Schema): void => {
  const { items, additionalProperties, minItems } = need;
  const field = needOf(need);
  const child = field && shape.fields.get(field.name);
  if (isObject(additionalProperties)) {
    for (const value of valuesOf(shape)) {
      if (refusesNull(additionalProperties)) value.isRequired = true;
      apply(value, additionalProperties);
    }
  }
  if (field && child) {
    if (field.mustExist) child.isRequired = true;
    apply(child, field.inner);
  }
  if (typeof minItems === 'number') shape.least = Math.max(shape.least, minItems);
  if (isObject(items) && shape.items !== undefined) {
    if (refusesNull(items)) shape.items.isRequired = true;
    apply(shape.items, items);
  }
};

/** The inner schema of a condition that is about this field alone and fails without it; else undefined. */
const guards = ({ type, required, properties }: Schema, name: string): Schema | undefined => {
  const inner = isObject(properties) ? properties[name] : undefined;
  const isOfField = type === 'object' && isList(required) && required.includes(name);
  return isOfField && isObject(inner) && inner.type !== 'object' && !holds(inner, null) ? inner : undefined;
};

/** Lists with fewer items than this. */
const shorterThan = (least: number): unknown[][] =>
  Array.from({ length: Math.min(least, maxSized) }, (_, length) => Array(length).fill(0));

const applyRule = (shape: Shape, condition: Schema, need: Schema): void => {
  const field = needOf(need);
  const child = field && shape.fields.get(field.name);
  const inside = field && fieldOf(condition);
  const guard = field && guards(condition, field.name);
  if (field && child && inside?.name === field.name && fieldOf(inside.inner)) {
    // The condition holds only where the field exists, and is about its content.
    applyRule(child, inside.inner, field.inner);
  } else if (field && child && guard) {
    // A requirement on a field where it exists applies to the field itself: a missing one is not affected.
    const { minItems, ...rest } = field.inner;
    const isSaid = typeof minItems === 'number' && shorterThan(minItems).every((list) => !holds(guard, list));
    apply(child, isSaid ? rest : field.inner);
  } else if (alternativesFor(condition, false, shape).length === 0) {
    apply(shape, need);
  } else {
    const known = shape.rules.find((it) => JSON.stringify(it.condition) === JSON.stringify(condition));
    if (known) known.needs.push(need);
    else shape.rules.push({ condition, needs: [need] });
  }
};

const isOpposite = (one: Schema, other: Schema): boolean =>
  JSON.stringify(one.not) === JSON.stringify(other) || JSON.stringify(other.not) === JSON.stringify(one);

/** Applies what is required whether or not a condition holds, and removes requirements that are met already. */
export const settle = (shape: Shape): void => {
  const { rules } = shape;
  for (const rule of rules) {
    const opposite = rules.find((it) => isOpposite(it.condition, rule.condition));
    const texts = opposite?.needs.map((need) => JSON.stringify(need)) ?? [];
    for (const need of rule.needs) if (texts.includes(JSON.stringify(need))) apply(shape, need);
  }
  const kept = rules
    .map((rule) => ({ ...rule, needs: rule.needs.filter((need) => !isMet(shape, need)) }))
    .filter(({ needs }) => needs.length > 0);
  rules.splice(0, rules.length, ...kept);
  for (const child of shape.fields.values()) settle(child);
  if (shape.items) settle(shape.items);
  if (shape.values) settle(shape.values);
};
