import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { httpOperations, scopes, scopeTable } from '@stanza/contracts';
import { api } from '../api/operations.ts';
import { scopeTexts } from '../screens/scope-texts.ts';
import { operationScreens } from './operation-screens.ts';
import { type Screen, screens } from './screens.ts';

/** The files of each screen; what the frame of all screens does counts for the screen that it leads to. */
const sourcesOf: Readonly<Record<Screen | 'sign-in', readonly string[]>> = {
  templates: ['screens/templates/**', 'editor/**', 'shell/palette/**'],
  modals: ['screens/modals/**', 'editor/making/new-modal*'],
  messages: ['screens/messages/**'],
  queues: ['screens/queues/**'],
  schedules: ['screens/schedules/**'],
  destinations: ['screens/destinations/**', 'editor/making/new-destination*'],
  events: ['screens/events/**'],
  connections: ['screens/connections*', 'screens/connections/**', 'editor/test-send/**'],
  keys: ['screens/keys*'],
  people: ['screens/people*'],
  usage: ['screens/usage/**'],
  'audit-log': ['screens/audit-log*'],
  settings: ['screens/settings/**'],
  'sign-in': ['api/session.ts', 'sign-in/**'],
};

const src = join(import.meta.dirname, '..');

/** The text of a screen's files, without tests. */
const textOf = (screen: Screen | 'sign-in'): string =>
  globSync([...sourcesOf[screen]], { cwd: src, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.test)\.tsx?$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');

/** How a file calls each operation: by its name in `api`, or by its address where it has no parts to fill. */
const callsOf = (id: string): RegExp => {
  const [name] = Object.entries(api).find(([, operation]) => operation.id === id) ?? [];
  const { path = '' } = httpOperations.find((operation) => operation.id === id) ?? {};
  const address = `'/v1${path}'`;
  return new RegExp(name === undefined ? address : `\\bapi\\.${name}\\b|${address}`);
};

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

  it('calls every operation that it gives a place to from the files of that screen', () => {
    const uncalled = [...operationScreens].flatMap(([id, place]) =>
      'screen' in place && !callsOf(id).test(textOf(place.screen)) ? [`${place.screen}: ${id}`] : [],
    );
    expect(uncalled).toEqual([]);
  });

  it('explains the scopes of keys as the contract does', () => {
    const shown = scopes
      .filter((scope) => !('reserved' in scopeTable[scope]))
      .map((scope) => [scope, scopeTable[scope].allows]);
    expect(scopeTexts).toEqual(shown);
  });
});
