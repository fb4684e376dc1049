const unitSeconds: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3_600, d: 86_400 };

/** Where rules have a duration: windows, offsets, and how long a condition must hold. */
const durations = /(?<before>\[|\boffset |\bfor: |\bkeep_firing_for: )(?<count>\d+)(?<unit>ms|s|m|h|d)/g;

/**
 * Rules of Prometheus, as YAML, in which all durations are divided by a factor. Thresholds stay as they are, also those
 * in seconds.
 */
export const scaledRules = (rules: string, factor: number): string =>
  rules.replaceAll(durations, (_, before: string, count: string, unit: string) => {
    const ms = Math.ceil((Number(count) * (unitSeconds[unit] ?? 0) * 1_000) / factor);
    return `${before}${ms}ms`;
  });

const alertName = /^\s*- alert: (\w+)$/gm;

/** The names of all alerts of these rules, each once. */
export const alertsOf = (rules: string): string[] => [
  ...new Set([...rules.matchAll(alertName)].map((match) => match[1] ?? '')),
];
