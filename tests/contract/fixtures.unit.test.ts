import { describe, expect, it } from '@jest/globals';
import { httpOperations } from '@stanza/contracts';
import { fixtures, particulars, references } from './fixtures.ts';
import { positionsOf } from './valid-request.ts';

describe('the fixtures of the contract matrix', () => {
  it('have whatever a request names by id', () => {
    const missing = httpOperations
      .flatMap((operation) => positionsOf(operation).map(({ path }) => ({ path, id: operation.id })))
      .filter(({ path }) => fixtures[path] === undefined)
      .map(({ path, id }) => `${id} needs one: add '${path}' to \`fixtures\` in tests/contract/fixtures.ts`);
    expect(missing).toEqual([]);
  });

  it('are for paths, keys and operations that exist', () => {
    const used = new Set(httpOperations.flatMap((it) => positionsOf(it).map(({ path }) => path)));
    expect(Object.keys(fixtures).filter((path) => !used.has(path))).toEqual([]);
    expect(Object.values(references).filter((path) => !Object.hasOwn(fixtures, path))).toEqual([]);
    const ids = httpOperations.map((it) => it.id);
    expect(Object.keys(particulars).filter((id) => !ids.includes(id))).toEqual([]);
  });
});

describe('the example of an operation', () => {
  it('is there wherever there is a body', () => {
    const without = httpOperations.filter((it) => it.body && it.example === undefined);
    expect(without.map((it) => `${it.id}: declare an \`example\` of its body`)).toEqual([]);
  });

  it('is a body that the operation takes', () => {
    for (const { id, body, example } of httpOperations) {
      if (body) expect([id, body.safeParse(example).error?.issues]).toEqual([id, undefined]);
    }
  });
});
