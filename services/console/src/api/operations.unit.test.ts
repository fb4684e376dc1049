import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { httpOperations, scopes, scopeTable } from '@stanza/contracts';
import { scopeTexts } from '../screens/scope-texts.ts';
import { api } from './operations.ts';

const src = join(import.meta.dirname, '..');

describe('the console, compared with the API', () => {
  it('calls operations as they are declared', () => {
    const declared = new Map(httpOperations.map((it) => [it.id, it]));
    const asCalled = Object.values(api).map(({ id, method, path }) => ({ id, method, path }));
    const asDeclared = asCalled.map(({ id }) => {
      const { method, path } = declared.get(id) ?? {};
      return { id, method, path };
    });
    expect(asCalled).toEqual(asDeclared);
  });

  it('calls every operation that it knows', () => {
    const text = globSync('**/*.{ts,tsx}', { cwd: src })
      .filter((file) => !/\.test\.tsx?$/.test(file))
      .map((file) => readFileSync(join(src, file), 'utf8'))
      .join('\n');
    const called = new Set([...text.matchAll(/\bapi\.(\w+)/g)].map(([, name]) => name));
    expect(Object.keys(api).filter((name) => !called.has(name))).toEqual([]);
  });

  it('explains every scope of keys that the contract has', () => {
    const offered = scopes.filter((scope) => !('reserved' in scopeTable[scope]));
    expect(scopeTexts.map(([scope]) => scope)).toEqual(offered);
  });
});
