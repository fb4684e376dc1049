import { isObject } from '../files/canonical.ts';
import { readJson } from '../files/read-json.ts';
import { CommandProblem } from '../problem.ts';
import type { Plan } from './plan.ts';

/** Whether JSON is a plan that this version has written: its templates are looked at again before anything is done. */
const isPlan = (value: unknown): value is Plan =>
  isObject(value) &&
  value.plan === 1 &&
  typeof value.environment === 'string' &&
  typeof value.activates === 'boolean' &&
  typeof value.archives === 'boolean' &&
  typeof value.deletes === 'boolean' &&
  typeof value.resends === 'boolean' &&
  isObject(value.choice) &&
  Array.isArray(value.choice.mine) &&
  Array.isArray(value.choice.theirs) &&
  [value.templates, value.resources].every(
    (list) =>
      Array.isArray(list) &&
      list.every((it) => isObject(it) && typeof it.key === 'string' && Array.isArray(it.actions)),
  );

/** Reads a plan that `stanza plan --out` has written. */
export const readPlan = async (file: string): Promise<Plan> => {
  const read = await readJson(file);
  if (isPlan(read)) return read;
  throw new CommandProblem(
    read === undefined ? `There is no ${file}.` : `${file} is no plan of this version.`,
    'Write one with `stanza plan --out <file>`.',
  );
};
