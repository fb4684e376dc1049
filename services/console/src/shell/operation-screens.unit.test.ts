import { describe, expect, it } from '@jest/globals';
import { httpOperations, scopes, scopeTable } from '@stanza/contracts';
import { api } from '../api/operations.ts';
import { scopeTexts } from '../screens/scope-texts.ts';
import { operationScreens } from './operation-screens.ts';
import { screens } from './screens.ts';

describe('the console beside the API', () => {
  it('has a place, or a reason for none, for every operation and for no other', () => {
    const declared = httpOperations.map(({ id }) => id).sort();
    expect([...operationScreens.keys()].sort()).toEqual(declared);
  });

  it('calls operations as they are declared', () => {
    const declared = new Map(httpOperations.map((it) => [it.id, it]));
    const asCalled = Object.values(api).map(({ id, method, path }) => ({ id, method, path }));
    const asDeclared = asCalled.map(({ id }) => {
      const { method, path } = declared.get(id) ?? {};
      return { id, method, path };
    });
    expect(asCalled).toEqual(asDeclared);
  });

  it('gives a place to what it calls, on a screen of the navigation', () => {
    const names: readonly string[] = [...screens.map(([name]) => name), 'sign-in'];
    const placed = [...operationScreens].flatMap(([id, place]) =>
      'screen' in place ? [[id, place.screen]] : [],
    );
    expect(placed.filter(([, screen = '']) => !names.includes(screen))).toEqual([]);
    const called = Object.values(api).map(({ id }) => String(id));
    expect(called.filter((id) => !placed.some(([it]) => it === id))).toEqual([]);
  });

  it('explains the scopes of keys as the contract does', () => {
    const shown = scopes
      .filter((scope) => !('reserved' in scopeTable[scope]))
      .map((scope) => [scope, scopeTable[scope].allows]);
    expect(scopeTexts).toEqual(shown);
  });
});
