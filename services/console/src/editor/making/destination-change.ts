import type { Destination } from '@stanza/contracts';

/** What a form changes of a destination. */
export type Edited = Pick<Destination, 'name' | 'url' | 'method' | 'retry_enabled'>;

const fields = ['name', 'url', 'method', 'retry_enabled'] as const;

/** The fields that are different; what is left out stays as it is. */
export const changeOf = (destination: Edited, edited: Edited): Partial<Edited> =>
  Object.fromEntries(
    fields.filter((field) => edited[field] !== destination[field]).map((field) => [field, edited[field]]),
  );

const originOf = (url: string): string | undefined => URL.parse(url)?.origin;

/** Whether the API clears the headers: they belong to the host that they were given for. */
export const losesHeaders = ({ url, headers }: Pick<Destination, 'url' | 'headers'>, to: string): boolean =>
  Object.keys(headers).length > 0 && originOf(to) !== originOf(url);
