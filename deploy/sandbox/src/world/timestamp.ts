const MICROS_A_SECOND = 1_000_000;

/** Writes microseconds since 1970 as a message's `ts`: seconds, a dot and six digits. */
export function formatTs(micros: number): string {
  const seconds = Math.floor(micros / MICROS_A_SECOND);
  return `${seconds}.${String(micros % MICROS_A_SECOND).padStart(6, '0')}`;
}

/** Whether a text has the form of a message's `ts`: one that was a number on its way has lost its zeros. */
export function isMessageTs(text: string): boolean {
  return /^\d{10}\.\d{6}$/.test(text);
}

/** Reads a bound of a history as microseconds since 1970; undefined when it is not a number with up to six decimals. */
export function parseTs(ts: string): number | undefined {
  const match = /^(\d{1,10})(?:\.(\d{1,6}))?$/.exec(ts);
  if (match?.[1] === undefined) return undefined;
  return Number(match[1]) * MICROS_A_SECOND + Number((match[2] ?? '').padEnd(6, '0'));
}
