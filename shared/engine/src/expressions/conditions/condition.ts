import { isList, isObject, type JsonObject } from '../../json.ts';
import { limits } from '../../limits.ts';
import { hintNearest } from '../../parse/nearest.ts';
import {
  contextIn,
  type ParseContext,
  report,
  reportType,
  warnOfTemplate,
} from '../../parse/parse-context.ts';
import { describeReference, type Reference } from '../../run/frame.ts';
import { type Run, spendEvaluations, warn } from '../../run/run.ts';
import { noteRead } from '../placeholders/evaluate.ts';
import { parsePath } from '../placeholders/path.ts';
import { type Reader, readerOf } from '../placeholders/reference.ts';
import { hasPlaceholder } from '../placeholders/scan.ts';
import { type Operator, operators } from './operators.ts';
import { compare, compareWith, kindOf, type Order } from './order.ts';

/** Whether a condition holds in a run. */
export type Test = (run: Run) => boolean;

/** One side of a comparison. */
interface Operand {
  readonly read: Reader;
  /** Where it stands in the data; undefined for a value of the template. */
  readonly reference: Reference | undefined;
}

const parseReader = (path: unknown, context: ParseContext, areChoices = false): Operand | undefined => {
  if (typeof path !== 'string') return reportType(context, 'a path', path);
  const parsed = parsePath(path, context);
  if (parsed === undefined) return undefined;
  noteRead(context, parsed, areChoices ? 'choices' : 'condition');
  return { read: readerOf(parsed.reference), reference: parsed.reference };
};

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** The operand of a condition: a value of the template, or a path to a value of the data. */
const parseValue = (value: unknown, context: ParseContext, takesList = false): Operand | undefined => {
  if (isObject(value)) {
    const [key, ...others] = Object.keys(value);
    if (key === 'path' && others.length === 0)
      return parseReader(value.path, contextIn(context, 'path'), takesList);
    return report(context, 'condition.syntax', 'A value is plain, a list of plain ones, or {"path": "…"}.');
  }
  if (isList(value) && !value.every(isPlain)) {
    return report(context, 'condition.syntax', 'A list to compare with holds plain values.');
  }
  if ((isList(value) ? value : [value]).some((it) => typeof it === 'string' && hasPlaceholder(it))) {
    const story =
      'the value is compared as it is written, braces included; {"path": "…"} reads one of the data.';
    warnOfTemplate(context, 'value.not_compared', story);
  }
  return { read: () => value, reference: undefined };
};

const parseOperator = (condition: JsonObject, context: ParseContext): Operator | undefined => {
  const { operator: name = 'truthy' } = condition;
  const at = contextIn(context, 'operator');
  if (typeof name !== 'string') return reportType(at, 'a text', name);
  const operator = Object.hasOwn(operators, name) ? operators[name] : undefined;
  if (operator === undefined) {
    const message = `There is no operator \`${name.slice(0, 80)}\`.`;
    return report(at, 'operator.unknown', message, hintNearest(name, Object.keys(operators)));
  }
  const given = Object.hasOwn(condition, 'value');
  const { value } = condition;
  if (given && operator.takesList && !isList(value) && !isObject(value)) {
    const message = `\`${name}\` needs a list as its \`value\`, or {"path": "…"} to one.`;
    return report(contextIn(context, 'value'), 'condition.syntax', message);
  }
  if (operator.takesValue === given) return operator;
  const message = given ? `\`${name}\` takes no \`value\`.` : `\`${name}\` needs a \`value\`.`;
  return report(given ? contextIn(context, 'value') : context, 'condition.syntax', message);
};

/** The cost of comparing a value, in evaluations. Keys cost most: those of a big object are collected one by one. */
const costOf = (value: unknown, countsKeys: boolean): number => {
  if (typeof value === 'string' || isList(value)) return value.length >> 6;
  return countsKeys && isObject(value) ? 2 * Object.keys(value).length : 0;
};

/** Names both sides by path and kind, and never by value. */
const warnNotCompared = (
  run: Run,
  pointer: string,
  sides: readonly (readonly [Operand, unknown])[],
): void => {
  const named = ([{ reference }, value]: readonly [Operand, unknown]): string =>
    reference === undefined
      ? `the \`value\` of the condition is ${kindOf(value)}`
      : `\`${describeReference(reference, run.frame)}\` is ${kindOf(value)}`;
  const story = (): string =>
    `${sides.map(named).join(' and ')}: they cannot be compared, so the comparison does not hold.`;
  warn(run, 'value.not_compared', pointer, story);
};

/**
 * A comparison by order, which some values do not have: it does not hold for them, and a warning says so.
 *
 * @param given the value of the template, where that is compared with
 */
const orderTest = (
  subject: Operand,
  value: Operand,
  given: unknown,
  holds: (order: Order) => boolean,
  pointer: string,
) => {
  const inOrder = value.reference === undefined ? compareWith(given) : compare;
  return (one: unknown, other: unknown, run: Run): boolean => {
    const order = inOrder(one, other);
    if (order !== undefined) return holds(order);
    warnNotCompared(run, pointer, [
      [subject, one],
      [value, other],
    ]);
    return false;
  };
};

const parseComparison = (condition: JsonObject, context: ParseContext): Test | undefined => {
  const subject =
    condition.path === undefined
      ? report(context, 'condition.syntax', 'A condition needs `path`, `all`, `any` or `not`.')
      : parseReader(condition.path, contextIn(context, 'path'));
  const operator = parseOperator(condition, context);
  const value = parseValue(condition.value, contextIn(context, 'value'), operator?.takesList);
  if (subject === undefined || operator === undefined || value === undefined) return undefined;
  const { countsKeys = false, cost, test: given } = operator;
  const test =
    typeof given === 'function'
      ? given
      : orderTest(subject, value, condition.value, given.holds, context.pointer);
  const { read: readSubject } = subject;
  const { read: readValue } = value;
  return (run) => {
    const [one, other] = [readSubject(run), readValue(run)];
    const search = cost ? Math.floor(cost(one, other)) : 0;
    spendEvaluations(run, 1 + costOf(one, countsKeys) + costOf(other, false) + search);
    return test(one, other, run);
  };
};

const parseSeveral = (
  values: unknown,
  context: ParseContext,
  level: number,
  join: (tests: readonly Test[]) => Test,
): Test | undefined => {
  if (!isList(values)) return reportType(context, 'a list of conditions', values);
  const tests = values.map((value, index) => parseLevel(value, contextIn(context, index), level));
  const sound = tests.filter((test) => test !== undefined);
  return sound.length === tests.length ? join(sound) : undefined;
};

const joined: Record<'all' | 'any', (tests: readonly Test[]) => Test> = {
  all: (tests) => (run) => tests.every((test) => test(run)),
  any: (tests) => (run) => tests.some((test) => test(run)),
};

const checkKeys = (condition: JsonObject, known: readonly string[], context: ParseContext): boolean => {
  const unknown = Object.keys(condition).filter((key) => !known.includes(key));
  for (const key of unknown) {
    const message = `A condition has no key \`${key.slice(0, 80)}\` here.`;
    report(contextIn(context, key), 'key.unknown', message, hintNearest(key, known));
  }
  return unknown.length === 0;
};

const parseLevel = (condition: unknown, context: ParseContext, level: number): Test | undefined => {
  if (!isObject(condition)) return reportType(context, 'a condition', condition);
  const { max } = limits['engine.depth'];
  if (level > max) {
    const message = `Conditions nest ${max} levels deep at most.`;
    return report(context, 'limit.max', message, { limit: 'engine.depth', max, actual: level });
  }
  const key = (['all', 'any', 'not'] as const).find((name) => Object.hasOwn(condition, name));
  const known = key === undefined ? ['path', 'operator', 'value'] : [key];
  const sound = checkKeys(condition, known, context);
  if (key === undefined) return sound ? parseComparison(condition, context) : undefined;
  const at = contextIn(context, key);
  if (key !== 'not') return parseSeveral(condition[key], at, level + 1, joined[key]);
  const test = parseLevel(condition.not, at, level + 1);
  return test && ((run) => !test(run));
};

/** Parses a condition; undefined when anything in it is wrong, which is then reported, all of it. */
export const parseCondition = (condition: unknown, context: ParseContext): Test | undefined =>
  parseLevel(condition, context, 1);
