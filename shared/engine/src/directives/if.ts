import { parseCondition } from '../expressions/conditions/condition.ts';
import { contextIn } from '../parse/parse-context.ts';
import { emitAll, parseChildren } from './children.ts';
import type { Directive } from './directive.ts';

/** `#if`: entries that are emitted only under a condition. */
export const ifDirective: Directive = {
  keys: {
    condition: { required: true, meaning: '{path, operator?, value?}, or {all: […]}, {any: […]}, {not: …}' },
    children: { required: true, meaning: 'the entries if the condition is true' },
    else: { required: false, meaning: 'the entries if it is false' },
  },
  meaning: 'conditional entries',
  parse: (value, context, list) => {
    const guarded = { ...context, guarded: true };
    const test =
      value.condition === undefined
        ? undefined
        : parseCondition(value.condition, contextIn(guarded, 'condition'));
    const { scope, names, guards: parent } = context;
    const guard = (holds: boolean) => ({ condition: value.condition, scope, names, holds, parent });
    const children = parseChildren(value, 'children', { ...guarded, guards: guard(true) }, list);
    const others = parseChildren(value, 'else', { ...guarded, guards: guard(false) }, list);
    if (test === undefined || children === undefined || others === undefined) return undefined;
    return (run, out) => emitAll(test(run) ? children : others, run, out);
  },
};
