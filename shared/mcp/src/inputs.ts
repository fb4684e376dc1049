import { key as keyForm, limits } from '@stanza/contracts';
import { nearestName } from '@stanza/engine';
import type { Stanza, Template, TemplateDraft, TemplateVersionSummary } from '@stanza/sdk';
import { StanzaError } from '@stanza/sdk';
import { z } from 'zod';

/** Unknown arguments that a refusal names; a message has room for a hundred thousand. */
const maxUnknown = 10;

const unknownNames = (names: readonly string[], known: readonly string[]): string =>
  names
    .slice(0, maxUnknown)
    .map((name) => {
      const near = nearestName(name, known);
      return `there is no argument ${JSON.stringify(name)}; ${near === undefined ? `they are ${known.join(', ')}` : `did you mean ${near}?`}`;
    })
    .join('. ');

/** The input of a tool, which takes the arguments of its shape and no others. */
export const inputOf = <const Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? unknownNames(issue.keys, Object.keys(shape)) : undefined,
  });

/** Names a template. */
export const templateKey = z
  .string()
  .min(1)
  .max(100)
  .describe('the key of the template, such as deploy-alert');

/** Blocks as an author writes them. A message has room for half a million, each of which would be a problem of its own. */
export const blocks = z
  .array(z.looseObject({ type: z.string() }))
  .min(1)
  .max(limits.draftBlocks)
  .describe('the whole list of blocks, in order; the tool "language" tells how they are written');

/** Whether at most one of a version and blocks is given, as {@link onlyOne} says. */
export const isOneOf = ({ version, blocks: given }: { version?: unknown; blocks?: unknown }): boolean =>
  version === undefined || given === undefined;

/** The refusal of a version and blocks. */
export const onlyOne = { path: ['blocks'], message: 'give a version or blocks, not both' };

/** Data of a template. */
export const data = z.record(z.string(), z.unknown()).describe('values that the template reads');

/** Asks for all of an answer. */
export const whole = z.boolean().optional().describe('all of the answer, however long');

/** Keys among which a near one is looked for: each hundred of them takes a request of the caller's rate. */
const maxKeys = 500;

/**
 * The template of a key.
 * @throws StanzaError `template_not_found` where there is none
 */
export const templateOf = async (stanza: Stanza, key: string): Promise<Template> => {
  if (keyForm.safeParse(key).success)
    for await (const found of stanza.templates.list({ key, limit: 1 })) return found;
  const keys: string[] = [];
  for await (const template of stanza.templates.list()) {
    keys.push(template.key);
    if (keys.length === maxKeys) break;
  }
  const near = nearestName(key, keys);
  const meant = near === undefined ? 'the tool "find" lists them.' : `did you mean "${near}"?`;
  throw new StanzaError({
    code: 'template_not_found',
    text: `There is no template with the key "${key}"; ${meant}`,
    operation: 'templates.list',
  });
};

/** The draft of a template; undefined where it has none. */
export const draftOf = async (stanza: Stanza, templateId: string): Promise<TemplateDraft | undefined> => {
  try {
    return await stanza.templates.draft.get(templateId);
  } catch (error) {
    if (error instanceof StanzaError && error.code === 'not_found') return undefined;
    throw error;
  }
};

/** The number of a version. */
export const versionNumber = z.int().min(1).describe('the number of a version');

/** A version of a template: the one with a number, else the newest. */
export const versionOf = async (
  stanza: Stanza,
  templateId: string,
  number?: number,
): Promise<TemplateVersionSummary> => {
  for await (const one of stanza.templates.versions.list(templateId, { limit: 100 })) {
    if (number === undefined || one.version_number === number) return one;
  }
  throw new StanzaError({
    code: 'version_not_found',
    text: number === undefined ? 'The template has no version.' : `The template has no version ${number}.`,
  });
};
