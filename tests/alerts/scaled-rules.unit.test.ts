import { describe, expect, it } from '@jest/globals';
import { alertsOf, scaledRules } from './scaled-rules.ts';

const rules = `groups:
  - name: x
    rules:
      - record: stanza:x:error_ratio_5m
        expr: sum(rate(a_total{operation="x"}[3d]))
      - alert: Stuck
        expr: max(a_seconds) > 300 and avg_over_time(b[2m]) - max(b offset 1h) > 0.25
        for: 30s
        annotations: { summary: 'Waits for 5m' }
      - alert: Stuck
        expr: b > 1
        for: 0m
`;

describe('scaled rules', () => {
  it('divide windows, offsets and waits, and leave thresholds, names and texts', () => {
    const scaled = scaledRules(rules, 60);
    expect(scaled).toContain('[4320000ms]');
    expect(scaled).toContain(
      'max(a_seconds) > 300 and avg_over_time(b[2000ms]) - max(b offset 60000ms) > 0.25',
    );
    expect(scaled).toContain('for: 500ms');
    expect(scaled).toContain('for: 0ms');
    expect(scaled).toContain('record: stanza:x:error_ratio_5m');
    expect(scaled).toContain("summary: 'Waits for 5m'");
  });

  it('have each alert once', () => {
    expect(alertsOf(rules)).toEqual(['Stuck']);
  });
});
