import { nearestName } from '@stanza/engine';
import { type Stanza, StanzaError, type Template, type TemplateVersionSummary } from '@stanza/sdk';
import { CommandProblem } from '../problem.ts';

/** The template with a key; undefined also for what cannot be a key, as the name of a template. */
const templateOf = async (stanza: Stanza, key: string): Promise<Template | undefined> => {
  try {
    const { data } = await stanza.templates.list({ key, limit: 1 }).page();
    return data[0];
  } catch (error) {
    if (error instanceof StanzaError && error.code === 'validation_failed') return undefined;
    throw error;
  }
};

/** The template with a key. */
export const findTemplate = async (stanza: Stanza, key: string): Promise<Template> => {
  const found = await templateOf(stanza, key);
  if (found) return found;
  const keys: string[] = [];
  for await (const template of stanza.templates.list()) keys.push(template.key);
  const near = nearestName(key, keys);
  throw new CommandProblem(
    `There is no template ${key} there${near ? `; did you mean ${near}?` : '.'}`,
    'Name it by its key.',
  );
};

/** The version of a template with a number; the newest where none is given. */
export const findVersion = async (
  stanza: Stanza,
  template: Template,
  number: number | undefined,
): Promise<TemplateVersionSummary> => {
  for await (const version of stanza.templates.versions.list(template.id))
    if (number === undefined || version.version_number === number) return version;
  throw new CommandProblem(
    `${template.key} has no version ${number}.`,
    `\`stanza history ${template.key}\` lists the versions.`,
  );
};

/** Reads the number of a version from a word of the command. */
export const versionNumber = (word: string): number => {
  if (/^[1-9]\d{0,9}$/.test(word)) return Number(word);
  throw new CommandProblem(`${word} is no number of a version.`, 'Versions are numbered 1, 2, 3.');
};
