import picocolors from 'picocolors';

/** Shows the progress of a stack to a person. */
export interface Progress {
  /** Shows one step; several may run at once. `describe` returns its outcome. */
  step<T>(name: string, work: Promise<T>, describe?: (result: T) => string): Promise<T>;
  /** Prints a text next to the steps. */
  say(text: string): void;
}

/** For tests and scripts. */
export const silentProgress: Progress = { step: (_name, work) => work, say: () => {} };

/** A finished or failed step. */
export interface StepReport {
  name: string;
  ok: boolean;
  detail: string;
  seconds: number;
}

/** A progress that passes reports on; `onPending` gets the names of the running steps. */
export const reportingProgress = (
  onReport: (report: StepReport) => void,
  onSay: (text: string) => void,
  onPending: (names: readonly string[]) => void = () => {},
): Progress => {
  const pending = new Set<string>();
  return {
    say: onSay,
    async step(name, work, describe) {
      const start = performance.now();
      const seconds = () => (performance.now() - start) / 1000;
      pending.add(name);
      onPending([...pending]);
      try {
        const result = await work;
        pending.delete(name);
        onReport({ name, ok: true, detail: describe?.(result) ?? '', seconds: seconds() });
        return result;
      } catch (error) {
        pending.delete(name);
        onReport({ name, ok: false, detail: '', seconds: seconds() });
        throw error;
      } finally {
        onPending([...pending]);
      }
    },
  };
};

/** Colours, as allowed by the terminal and `NO_COLOR`. */
export const colours = (stream: { isTTY?: boolean } = process.stdout) =>
  picocolors.createColors(stream.isTTY === true && !process.env.NO_COLOR);

/** One line for a step: mark, name, outcome and time. */
export const stepLine = ({ name, ok, detail, seconds }: StepReport, paint = colours()): string => {
  const mark = ok ? paint.green('✓') : paint.red('✗');
  const text = `${name.padEnd(14)} ${detail}`;
  return `  ${mark} ${text.padEnd(62)} ${paint.dim(`${seconds.toFixed(1)} s`)}`;
};

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const frameMs = 90;

/** Steps as lines on standard output; on a terminal a live line shows the running steps and their time. */
export const terminalProgress = (stream: NodeJS.WriteStream = process.stdout): Progress => {
  const paint = colours(stream);
  const moving = stream.isTTY === true;
  let pending: readonly string[] = [];
  let since = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const clear = () => moving && stream.write('\r\x1b[2K');
  const draw = () => {
    const seconds = (performance.now() - since) / 1000;
    const frame = frames[Math.floor((seconds * 1000) / frameMs) % frames.length] ?? '';
    clear();
    stream.write(`  ${paint.cyan(frame)} ${pending.join(', ')} ${paint.dim(`${seconds.toFixed(0)} s`)}`);
  };
  const print = (line: string) => {
    clear();
    stream.write(`${line}\n`);
  };
  const onPending = (names: readonly string[]) => {
    if (pending.length === 0) since = performance.now();
    pending = names;
    clearInterval(timer);
    clear();
    if (moving && names.length > 0) timer = setInterval(draw, frameMs);
  };
  return reportingProgress((report) => print(stepLine(report, paint)), print, onPending);
};
