import { limits } from '@stanza/contracts/limits';
import type { JsonObject } from '../files/canonical.ts';
import { kindOf, objectAt, plainly } from './kind.ts';
import {
  dictionaryOf,
  flag,
  headerValue,
  oneOf,
  record,
  type Shaped,
  text,
  webAddress,
  whole,
} from './shape.ts';
import { isVariable } from './variables.ts';

const shape = record(
  { name: text, url: webAddress },
  {
    description: text,
    method: oneOf('POST', 'PUT', 'PATCH'),
    headers: dictionaryOf(headerValue),
    auth_type: oneOf('none', 'bearer', 'basic', 'custom'),
    is_active: flag,
    retry_enabled: flag,
    max_retries: whole(0, 10),
    retry_strategy: oneOf('fixed', 'linear', 'exponential'),
    retry_initial_delay_ms: whole(100, limits.retryDelayMs),
    retry_max_delay_ms: whole(1_000, limits.retryDelayMs),
    timeout_ms: whole(1_000, 60_000),
  },
);

type DestinationFile = Shaped<typeof shape>;

const usual = {
  method: 'POST',
  headers: {},
  auth_type: 'none',
  is_active: true,
  retry_enabled: false,
  max_retries: 3,
  retry_strategy: 'exponential',
  retry_initial_delay_ms: 1_000,
  retry_max_delay_ms: 30_000,
  timeout_ms: 10_000,
} as const;

const headerProblem = (_: DestinationFile, { headers }: JsonObject): string | undefined => {
  const wrong = Object.keys(objectAt(headers)).find((name) => !/^[\w!#$%&'*+.^`|~-]+$/.test(name));
  if (wrong !== undefined) return `/headers/${wrong} is no name of a header`;
  const open = Object.entries(objectAt(headers)).find(([, value]) => !isVariable(value));
  return (
    open && `/headers/${open[0]} is to name a variable, as {"env": "TICKETS_TOKEN"}: headers are secrets`
  );
};

/** Headers are compared by name; what a file says of their values is a part of its own. */
const partsOf = ({ headers, ...document }: JsonObject, written: JsonObject) => {
  const names = Object.keys(objectAt(headers)).map((name) => name.toLowerCase());
  return {
    about: { ...document, headers: names.sort() },
    content: written.headers ?? {},
  };
};

const bodyOf = (document: DestinationFile) => ({
  ...usual,
  ...document,
  description: document.description ?? '',
  headers: document.headers ?? {},
});

/** Destinations keep the values of their headers out of files and out of answers. */
export const destinations = kindOf<DestinationFile>({
  folder: 'destinations',
  word: 'destination',
  named: 'destination',
  scope: 'destinations:read',
  shape,
  order: [
    'name',
    'description',
    'url',
    'method',
    'headers',
    'auth_type',
    'is_active',
    'retry_enabled',
    'max_retries',
    'retry_strategy',
    'retry_initial_delay_ms',
    'retry_max_delay_ms',
    'timeout_ms',
  ],
  usual: () => usual,
  secretsIn: ['headers'],
  hidden: 'the values of headers are not shown by the API, so that a change of them there stays unseen',
  problemOf: headerProblem,
  partsOf,
  list: async ({ stanza }) => {
    const found = [];
    for await (const destination of stanza.destinations.list()) {
      const { id, key } = destination;
      found.push({ id, key, document: { ...destination } });
    }
    return found;
  },
  create: async ({ stanza }, document, key) =>
    plainly(await stanza.destinations.create({ key, ...bodyOf(document) })),
  update: async ({ stanza }, document, { found }) =>
    plainly(await stanza.destinations.update(found.id, bodyOf(document))),
  remove: async ({ stanza }, id) => {
    await stanza.destinations.delete(id);
  },
});
