import { httpOperations } from '@stanza/contracts';

/** Words of the paths of the API. */
const words: ReadonlySet<string> = new Set([
  '',
  'v1',
  ...httpOperations.flatMap(({ path }) => path.split('/').filter((part) => !part.startsWith('{'))),
]);

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/**
 * A path as logged: words of the API and UUIDs, and `*` for all else. Clients put keys and codes into paths by mistake,
 * and these cannot be told from names.
 */
export const loggedPath = (path: string): string =>
  path
    .split('/')
    .map((part) => (words.has(part) || uuid.test(part) ? part : '*'))
    .join('/');
