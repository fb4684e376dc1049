import type { SdkOperation } from './operations.ts';

const singular = (step: string): string => step.replace(/ies$/, 'y').replace(/s$/, '');

const camel = (text: string): string =>
  text.replaceAll(/[-_]([a-z\d])/g, (_, letter: string) => letter.toUpperCase());

/** What a parameter of a path is called as an argument: `id` says whose. */
export const argumentOf = ({ path }: SdkOperation['source'], { name }: { name: string }): string => {
  if (name !== 'id') return camel(name);
  const owner = path.split('/{id}')[0]?.split('/').at(-1) ?? '';
  const word = camel(singular(owner));
  return `${word.charAt(0).toLowerCase()}${word.slice(1)}Id`;
};
