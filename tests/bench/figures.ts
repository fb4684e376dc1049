/** The value in the middle. */
export const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;

/** Processes that use less than this part of a request's CPU are not named. */
const worthNaming = 0.02;

/** CPU by process, the most first, after their sum: `1.04 ms: gateway 0.42, postgres 0.31 …`. */
export const cpuText = (cpu: Readonly<Record<string, number>>): string => {
  const parts = Object.entries(cpu).sort(([, one], [, other]) => other - one);
  const sum = parts.reduce((total, [, ms]) => total + ms, 0);
  if (sum === 0) return '–';
  const named = parts.filter(([, ms]) => ms >= sum * worthNaming);
  const list = named.map(([name, ms]) => `${name} ${ms.toFixed(2)}`).join(', ');
  return named.length > 1 ? `${sum.toFixed(2)} ms: ${list}` : `${sum.toFixed(2)} ms`;
};

/** The mean by process: a request is too short for the clock that counts CPU, many are not. */
export const meanCpu = (cpu: readonly Record<string, number>[]): Record<string, number> =>
  Object.fromEntries(
    Object.keys(cpu[0] ?? {}).map((name) => [
      name,
      cpu.reduce((sum, it) => sum + (it[name] ?? 0), 0) / cpu.length,
    ]),
  );
