import {
  type Description,
  type LimitName,
  limitOf,
  type ShapeDescription,
  textForms,
} from '@stanza/engine/platform';
import { type Check, choice, flag, integer, number, object, type Shape, text } from './checks.ts';

/** A figure of the platform, from the table that the engine holds messages to. */
export const maxOf = (name: LimitName): number => limitOf(name).max;

const checkOf = (given: Description): Check => {
  switch (given.kind) {
    case 'text':
      return text({ min: given.may_be_empty ? 0 : 1, max: maxOf(given.limit) });
    case 'exact': {
      const form = textForms.find(({ words }) => words === given.form);
      return text({ min: given.may_be_empty ? 0 : 1, max: maxOf(given.limit), ...(form && { form }) });
    }
    case 'string':
      return text();
    case 'boolean':
      return flag;
    case 'choice':
      return choice(...given.values);
    case 'integer': {
      const { min = 0, max } = given.limit === undefined ? { max: undefined } : limitOf(given.limit);
      return integer(min, max);
    }
    case 'number':
      return number(given.above);
    case 'object':
      return object(shapeOf(given));
    default:
      throw new Error(`no check is made of a description of kind ${given.kind}`);
  }
};

/** The shape of an object as the engine’s table describes it. */
export const shapeOf = ({ fields }: ShapeDescription): Shape => {
  const checks = Object.entries(fields).map(([key, field]) => ({ key, field, check: checkOf(field) }));
  const pick = (required: boolean) =>
    Object.fromEntries(
      checks.filter(({ field }) => field.required === required).map(({ key, check }) => [key, check]),
    );
  return { required: pick(true), optional: pick(false) };
};
