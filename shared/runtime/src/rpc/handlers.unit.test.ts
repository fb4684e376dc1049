import { describe, expect, it } from '@jest/globals';
import { InvariantError } from '../invariant.ts';
import { silentLogger } from '../observability/log.ts';
import { echo } from '../testing/rpc.ts';
import { handle } from './handler.ts';
import { checkHandlers, handlersFrom } from './handlers.ts';

const index = { echo: ({ word }: { word: string }) => handle(echo, async () => word) };
const handlers = handlersFrom(index, { word: 'hello', other: 1 });
const check = (given: typeof handlers, declared: Parameters<typeof checkHandlers>[2]) => () =>
  checkHandlers('organization', given, declared, silentLogger());

describe('the handlers of a service', () => {
  it('are created from the exports of its index of operations', () => {
    expect(handlers.map((it) => it.operation)).toEqual([echo]);
  });

  it('pass when each operation of the service has one', () => {
    expect(check(handlers, [echo, { ...echo, id: 'of-another', service: 'template' }])).not.toThrow();
  });

  it.each([
    ['an operation without a handler', [], [echo]],
    ['a handler without an operation', handlers, []],
    ['a handler of another service', handlers, [{ ...echo, service: 'template' as const }]],
    ['two handlers of one operation', [...handlers, ...handlers], [echo]],
  ])('do not pass with %s', (_title, given, declared) => {
    expect(check(given, declared)).toThrow(InvariantError);
  });
});
