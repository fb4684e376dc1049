import type { HttpOperation } from '@stanza/contracts';

const camel = (text: string): string =>
  text.replaceAll(/-([a-z\d])/g, (_, letter: string) => letter.toUpperCase());

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** The steps of a path that are no parameters, as names of TypeScript; a version of a protocol is none of them. */
const stepsOf = (path: string): string[] =>
  path
    .split('/')
    .filter((step) => step !== '' && !step.startsWith('{') && !/^v\d+$/.test(step))
    .map((step) => lowerFirst(camel(step)));

/**
 * Where an operation is found in the SDK, as in `templates.versions.activate`: the steps of its path, then the first
 * word of its id. A path whose last step begins with that word has said it already, and one that begins with it says
 * what is done before it says with what.
 */
export const methodOf = ({ id, path }: Pick<HttpOperation, 'id' | 'path'>): string[] => {
  const verb = id.split('-')[0] ?? id;
  const steps = stepsOf(path);
  const isSaid = steps.length > 1 && (steps[0] === verb || steps.at(-1)?.startsWith(verb));
  return isSaid ? steps : [...steps, verb];
};
