import type { JsonObject } from '../json.ts';
import { limits } from '../limits.ts';
import { hintNearest } from '../parse/nearest.ts';
import { contextIn, type ParseContext, report, reportType } from '../parse/parse-context.ts';
import { type Emit, spendEvaluations } from '../run/run.ts';
import { blockDirective } from './block.ts';
import type { Directive, DirectiveList } from './directive.ts';
import { eachDirective } from './each.ts';
import { ifDirective } from './if.ts';
import { translationsDirective } from './translations.ts';
import { useDirective } from './use.ts';
import { withDirective } from './with.ts';

/** Every directive by its name. */
export const directives: Readonly<Record<string, Directive>> = {
  '#each': eachDirective,
  '#if': ifDirective,
  '#block': blockDirective,
  '#with': withDirective,
  '#use': useDirective,
  '#translations': translationsDirective,
};

const checkKeys = (value: JsonObject, name: string, { keys }: Directive, context: ParseContext): boolean => {
  let sound = true;
  for (const [key, { required }] of Object.entries(keys)) {
    if (!required || Object.hasOwn(value, key)) continue;
    report(context, 'required', `\`${name}\` needs the key \`${key}\`.`);
    sound = false;
  }
  // An id is filled in for every entry of `blocks`; that of a directive has no place in the output.
  const known = ['type', 'directive', 'id', ...Object.keys(keys)];
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    const message = `\`${name}\` has no key \`${key.slice(0, 80)}\`.`;
    report(contextIn(context, key), 'key.unknown', message, hintNearest(key, known));
    sound = false;
  }
  return sound;
};

/** A directive costs an evaluation each time that a loop goes through it, also where it emits nothing. */
const spending =
  (emit: Emit): Emit =>
  (run, out) => {
    spendEvaluations(run, 1);
    emit(run, out);
  };

/** Parses a directive to what emits its entries; undefined when anything in it is wrong. */
export const parseDirective = (
  value: JsonObject,
  context: ParseContext,
  list: DirectiveList,
): Emit | undefined => {
  const { directive: name } = value;
  const names = Object.keys(directives);
  if (name === undefined) {
    return report(context, 'required', 'A directive needs the key `directive`.', {
      hint: `Known: ${names.join(', ')}.`,
    });
  }
  if (typeof name !== 'string') return reportType(contextIn(context, 'directive'), 'a text', name);
  const directive = Object.hasOwn(directives, name) ? directives[name] : undefined;
  if (directive === undefined) {
    const message = `There is no directive \`${name.slice(0, 80)}\`.`;
    return report(contextIn(context, 'directive'), 'directive.unknown', message, hintNearest(name, names));
  }
  const depth = context.depth + 1;
  const { max } = limits['engine.depth'];
  if (depth > max) {
    const message = `Directives nest ${max} levels deep at most.`;
    return report(context, 'limit.max', message, { limit: 'engine.depth', max, actual: depth });
  }
  const sound = checkKeys(value, name, directive, context);
  const emit = directive.parse(value, { ...context, depth }, list);
  return sound && emit ? spending(emit) : undefined;
};
