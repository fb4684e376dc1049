import { describe, expect, it } from '@jest/globals';
import { httpOperations } from '@stanza/contracts';
import { Stanza } from '@stanza/sdk';
import { methodOf } from './method-name.ts';
import { sdkOperations } from './operations.ts';

/** The names of all methods below an object, as `templates.send`. */
const methodsIn = (value: object): string[] =>
  Object.entries(value).flatMap(([name, part]) => {
    if (typeof part === 'function') return [name];
    return typeof part === 'object' && part !== null ? methodsIn(part).map((it) => `${name}.${it}`) : [];
  });

describe('the SDK', () => {
  const methods = methodsIn(new Stanza({ url: 'https://stanza.test', key: 'stz_1' }));

  it('has a method for each operation with a route, and no other', () => {
    // Pages are for people in a browser; what is signed comes from the chat platform.
    const expected = httpOperations
      .filter(({ answers, access }) => answers !== 'page' && access !== 'signed')
      .map((it) => methodOf(it).join('.'));
    expect(methods.sort()).toEqual(expected.sort());
    expect(methods.length).toBeGreaterThan(100);
  });

  it('knows of each operation what it may do again', () => {
    const kinds = new Map(sdkOperations.map(({ source, kind }) => [source.id, kind]));
    expect(kinds.get('send-template')).toBe('keyed');
    expect(kinds.get('list-messages')).toBe('read');
    expect(kinds.get('preview-template')).toBe('read');
    expect(kinds.get('create-template')).toBe('keyed');
    expect(kinds.get('update-template')).toBe('change');
  });

  it.each([
    [
      'activate-template-version',
      '/templates/{id}/versions/{version_id}/activate',
      'templates.versions.activate',
    ],
    ['append-template-version', '/templates/{id}/versions', 'templates.versions.append'],
    ['send-bulk', '/templates/send-bulk', 'templates.sendBulk'],
    ['search-templates', '/search/templates', 'search.templates'],
    ['list-scim-users', '/scim/v2/Users', 'scim.users.list'],
    ['get-usage-limits', '/usage/limits', 'usage.limits.get'],
  ])('calls %s at %s %s', (id, path, name) => {
    expect(methodOf({ id, path }).join('.')).toBe(name);
  });
});
