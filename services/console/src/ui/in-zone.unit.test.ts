import { describe, expect, it } from '@jest/globals';
import { inZone } from './in-zone.ts';

describe('a moment in a time zone', () => {
  it('has the time of that zone, in summer and in winter, and names it', () => {
    expect(inZone('2026-11-30T08:00:00Z', 'Europe/Berlin')).toBe('Mon, 30 Nov 2026, 09:00 CET');
    expect(inZone('2026-07-01T07:00:00Z', 'Europe/Berlin')).toBe('Wed, 1 Jul 2026, 09:00 CEST');
  });
});
