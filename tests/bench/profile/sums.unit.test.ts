import { describe, expect, it } from '@jest/globals';
import { byPlace, type CpuProfile, selfTimes } from './sums.ts';

const node = (id: number, functionName: string, url: string) => ({
  id,
  callFrame: { functionName, url, lineNumber: 1 },
});

const profile: CpuProfile = {
  startTime: 1_000,
  nodes: [
    node(1, '(idle)', ''),
    node(2, 'charge', 'file:///x/services/organization/src/operations/charge-credits.ts'),
    node(3, 'query', 'file:///x/node_modules/pg/lib/client.js'),
    node(4, 'parse', 'file:///x/node_modules/pg/lib/result.js'),
  ],
  samples: [1, 2, 3, 4, 2],
  timeDeltas: [10, 20, 30, 40, 50],
};

describe('the times of a profile', () => {
  it('are those of each function itself, by name and place', () => {
    expect(Object.fromEntries(selfTimes(profile, { from: 0, to: 2_000 }))).toEqual({
      '(idle)': 10,
      'charge services/organization/src/operations/charge-credits.ts': 70,
      'query pg': 30,
      'parse pg': 40,
    });
  });

  it('leave out what was before and after the load', () => {
    expect(Object.fromEntries(selfTimes(profile, { from: 1_030, to: 1_060 }))).toEqual({
      'charge services/organization/src/operations/charge-credits.ts': 20,
      'query pg': 30,
    });
  });

  it('are added up by package and file', () => {
    const places = byPlace(selfTimes(profile, { from: 0, to: 2_000 }));
    expect(places.get('pg')).toBe(70);
    expect(places.get('(idle)')).toBe(10);
  });
});
