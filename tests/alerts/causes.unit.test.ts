import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { groups } from './process-causes.ts';
import { rulesFolder } from './prometheus.ts';
import { alertsOf } from './scaled-rules.ts';

const shipped = readdirSync(rulesFolder).flatMap((file) =>
  alertsOf(readFileSync(join(rulesFolder, file), 'utf8')),
);

describe('the causes of alerts', () => {
  it('are those of every shipped alert, and of no other', () => {
    const caused = Object.values(groups).flatMap((group) => group.flatMap((it) => it.alerts));
    expect([...new Set(caused)].toSorted()).toEqual(shipped.toSorted());
  });

  it('have consequences that are alerts', () => {
    const also = Object.values(groups).flatMap((group) => group.flatMap((it) => it.consequences ?? []));
    expect(also.filter((it) => !shipped.includes(it))).toEqual([]);
  });
});
