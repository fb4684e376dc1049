import { setTimeout as pause } from 'node:timers/promises';

/** A request that is asked again and again. */
export interface Asked {
  name: string;
  ask: () => Promise<Response>;
}

/** What became of the requests. */
export interface LoadReport {
  /** Answers by what was asked and how it went: `compile 200`. */
  answers: Record<string, number>;
  /** What is neither a success nor a 503 with a code. */
  wrong: string[];
}

const everyMs = 100;

const judge = async (name: string, ask: () => Promise<Response>, report: LoadReport): Promise<void> => {
  try {
    const response = await ask();
    const body: unknown = await response.json();
    const code = String(Object(body).code ?? '');
    const line = `${name} ${response.status}${code && ` ${code}`}`;
    report.answers[line] = (report.answers[line] ?? 0) + 1;
    if (!response.ok && !(response.status === 503 && code !== '')) report.wrong.push(line);
  } catch (error) {
    report.wrong.push(`${name}: ${error instanceof Error ? `${error.message} ${error.cause}` : error}`);
  }
};

/** Asks each of the requests ten times a second until it is ended, whether or not the earlier ones were answered. */
export const startLoad = (asked: readonly Asked[]): { end: () => Promise<LoadReport> } => {
  const report: LoadReport = { answers: {}, wrong: [] };
  const stop = new AbortController();
  const loops = asked.map(async ({ name, ask }) => {
    const open = new Set<Promise<void>>();
    while (!stop.signal.aborted) {
      const one = judge(name, ask, report).finally(() => open.delete(one));
      open.add(one);
      await pause(everyMs);
    }
    await Promise.all(open);
  });
  return {
    end: async () => {
      stop.abort();
      await Promise.all(loops);
      return report;
    },
  };
};
