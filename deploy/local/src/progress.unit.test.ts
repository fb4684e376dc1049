import { describe, expect, it } from '@jest/globals';
import { reportingProgress, type StepReport } from './progress.ts';

describe('the progress of a start', () => {
  it('reports each step when it ends, with its outcome', async () => {
    const reports: StepReport[] = [];
    const progress = reportingProgress(
      (report) => reports.push(report),
      () => {},
    );
    expect(await progress.step('NATS', Promise.resolve(4222), (port) => `on port ${port}`)).toBe(4222);
    await expect(progress.step('PostgreSQL', Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(reports).toMatchObject([
      { name: 'NATS', ok: true, detail: 'on port 4222' },
      { name: 'PostgreSQL', ok: false, detail: '' },
    ]);
  });

  it('names the running steps', async () => {
    const pending: string[] = [];
    const progress = reportingProgress(
      () => {},
      () => {},
      (names) => pending.push(names.join('+')),
    );
    const first = Promise.withResolvers<void>();
    const steps = [progress.step('A', first.promise), progress.step('B', Promise.resolve())];
    await steps[1];
    first.resolve();
    await steps[0];
    expect(pending).toEqual(['A', 'A+B', 'A', '']);
  });
});
