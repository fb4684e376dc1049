import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';
import { alertsOf } from '../alerts/scaled-rules.ts';

const folder = join(import.meta.dirname, '../../deploy/prometheus');
const text = (file: string): string => readFileSync(join(folder, file), 'utf8');

const example = z.object({
  route: z.object({ receiver: z.string(), routes: z.array(z.object({ receiver: z.string() })) }),
  inhibit_rules: z.array(
    z.object({ source_matchers: z.array(z.string()), target_matchers: z.array(z.string()) }),
  ),
  receivers: z.array(z.object({ name: z.string() })),
});

describe('the example for Alertmanager', () => {
  const { route, inhibit_rules, receivers } = example.parse(parse(text('alertmanager.yml')));

  it('keeps back shipped alerts only, and none because of itself', () => {
    const shipped = globSync('rules/*.yml', { cwd: folder }).flatMap((file) => alertsOf(text(file)));
    const namesIn = (matchers: readonly string[]) =>
      matchers.flatMap((it) => /^alertname=~?"(.+)"$/.exec(it)?.[1]?.split('|') ?? [it]);
    for (const { source_matchers, target_matchers } of inhibit_rules) {
      const [sources, targets] = [namesIn(source_matchers), namesIn(target_matchers)];
      expect(shipped).toEqual(expect.arrayContaining([...sources, ...targets]));
      expect(sources.filter((it) => targets.includes(it))).toEqual([]);
    }
  });

  it('sends to receivers that it has', () => {
    const names = receivers.map((it) => it.name);
    expect(names).toEqual(expect.arrayContaining([route, ...route.routes].map((it) => it.receiver)));
  });
});
