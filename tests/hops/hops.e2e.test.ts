import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Hops, measureHops, type RequestName } from './hops.ts';

/** The max number of files of a package that a warm request executes. */
const bounds: readonly (readonly [request: RequestName, name: string, max: number])[] = [
  ['send', 'services/delivery', 35],
  ['send', 'services/gateway', 34],
  ['bulk', 'services/delivery', 35],
  ['bulk', 'services/gateway', 34],
  ['compile', 'services/compile', 10],
  ['compile', 'services/gateway', 34],
  ['push', 'services/queue-ingest', 8],
  ['push', 'services/gateway', 34],
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
