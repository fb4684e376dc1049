import { isGeneratedId } from '../generated-ids.ts';
import { isList, isObject } from '../json.ts';
import { limitOf } from '../limits.ts';
import { overLimit } from '../parse/parse-context.ts';
import { noteProblem, type Run, warn } from '../run/run.ts';
import { codePoints } from '../text/cut.ts';

/** An object that JSON makes has no own value under this name once it is copied. */
export const unusableNames: readonly string[] = ['__proto__'];

/** The id itself, or with the first number that makes it another than those that are taken. */
export const freeName = (id: string, taken: ReadonlySet<unknown>, separator: string): string => {
  let name = id;
  for (let number = 1; taken.has(name); number += 1) name = `${id}${separator}${number}`;
  return name;
};

const collectIds = (value: unknown, except: ReadonlySet<unknown>, found: Set<unknown>): void => {
  if (isList(value)) for (const entry of value) collectIds(entry, except, found);
  if (!isObject(value)) return;
  if (value.action_id !== undefined && !except.has(value)) found.add(value.action_id);
  for (const inner of Object.values(value)) collectIds(inner, except, found);
};

const isWritten = (templateId: string): boolean => !templateId.includes('{{');

/** The start of the id of an element whose own came out empty, as that of an element without one. */
const madeId = 'act';

/**
 * Gives each element with an interaction an `action_id` of its own in the message, by which its use finds the actions.
 * Data may have made it empty, or that of another element. Those that stand twice in the template are left as they are.
 */
export const giveUniqueActionIds = (run: Run, blocks: readonly unknown[]): void => {
  const { interactions = [] } = run;
  if (interactions.length === 0) return;
  const taken = new Set<unknown>(unusableNames);
  collectIds(blocks, new Set(interactions.map(({ element }) => element)), taken);
  const written = new Set<unknown>();
  for (const { element, templateId } of interactions) {
    if (isWritten(templateId) && !taken.has(element.action_id)) written.add(element.action_id);
  }
  for (const id of written) taken.add(id);
  for (const { element, templateId, pointer } of interactions) {
    const { action_id: id } = element;
    if (isWritten(templateId) && written.has(id)) continue;
    const isGiven = typeof id === 'string' && id !== '';
    const unique = freeName(isGiven ? id : madeId, taken, '_');
    taken.add(unique);
    if (unique === id) continue;
    // The element is of this run alone.
    Object.assign(element, { action_id: unique });
    const length = codePoints(unique);
    if (length > limitOf('element.action_id').max) {
      noteProblem(run, overLimit(pointer, 'element.action_id', length));
    }
    if (!isGiven || isGeneratedId(id)) continue;
    const story = `an \`action_id\` of an element with an interaction stands twice in the message; this one ends in \`${unique.slice(id.length)}\` now.`;
    warn(run, 'id.repeated', pointer, story);
  }
};
