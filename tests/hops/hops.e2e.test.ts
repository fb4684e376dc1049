import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Hops, measureHops, type RequestName } from './hops.ts';

/** The max number of files of a package that a warm request executes. */
const bounds: readonly (readonly [request: RequestName, name: string, max: number])[] = [
  ['send', 'services/delivery', 18],
  ['send', 'services/gateway', 20],
  ['bulk', 'services/delivery', 22],
  ['bulk', 'services/gateway', 20],
  ['compile', 'services/compile', 8],
  ['compile', 'services/gateway', 20],
  ['push', 'services/queue-ingest', 8],
  ['push', 'services/gateway', 20],
];

describe('the files that a warm request executes', () => {
  let hops: Record<RequestName, Hops>;

  beforeAll(async () => {
    hops = await measureHops();
  });

  it.each(bounds)('of a %s are few in %s: at most %d', (request, name, max) => {
    const files = hops[request].get(name) ?? [];
    expect(files.length).toBeGreaterThan(1);
    // Lists the files of a failure.
    expect(files).toEqual(files.slice(0, max));
  });
});
