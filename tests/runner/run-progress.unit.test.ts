import { describe, expect, it } from '@jest/globals';
import { inWords, progressLine, RunProgress } from './run-progress.ts';

const plan = new Map([
  ['/slow', 60],
  ['/middle', 30],
  ['/quick', 10],
]);

describe('the progress of a run', () => {
  it('estimates at the usual speed until enough is done', () => {
    const progress = new RunProgress(plan, () => 0);
    expect(progress.state).toEqual({ filesDone: 0, files: 3, secondsLeft: 50 });
  });

  it('estimates at the speed that the run has shown', () => {
    let now = 0;
    const progress = new RunProgress(plan, () => now);
    now = 120_000;
    progress.finish('/slow');
    expect(progress.state).toEqual({ filesDone: 1, files: 3, secondsLeft: 80 });
  });

  it('counts what an open file has run', () => {
    let now = 0;
    const progress = new RunProgress(plan, () => now);
    progress.start('/slow');
    progress.start('/middle');
    now = 20_000;
    expect(progress.state).toEqual({ filesDone: 0, files: 3, secondsLeft: 30 });
  });

  it('promises nothing once the open files run for longer than before', () => {
    let now = 0;
    const progress = new RunProgress(new Map([['/slow', 60]]), () => now);
    progress.start('/slow');
    now = 61_000;
    expect(progress.state).toEqual({ filesDone: 0, files: 1, secondsLeft: undefined });
  });

  it('counts files that the plan does not name', () => {
    const progress = new RunProgress(new Map(), () => 0);
    progress.finish('/new');
    expect(progress.state).toEqual({ filesDone: 1, files: 1, secondsLeft: 0 });
  });
});

describe('the line of progress', () => {
  it('names the levels, the files done of all, and the time left', () => {
    expect(progressLine(['e2e', 'int'], { filesDone: 12, files: 345, secondsLeft: 203 })).toBe(
      'e2e, int: 12 of 345 files, about 3 min 20 s left',
    );
  });

  it('says that a run takes longer than the last time', () => {
    expect(progressLine(['rollout'], { filesDone: 0, files: 1, secondsLeft: undefined })).toBe(
      'rollout: 0 of 1 files, longer than the last time',
    );
  });

  it('says that the last files are done', () => {
    expect(progressLine(['unit'], { filesDone: 3, files: 3, secondsLeft: 0 })).toBe(
      'unit: 3 of 3 files, finishing',
    );
  });

  it.each([
    [0, '10 s'],
    [44, '40 s'],
    [60, '1 min'],
    [184, '3 min'],
    [186, '3 min 10 s'],
  ])('rounds an estimate of %d seconds', (seconds, words) => {
    expect(inWords(seconds)).toBe(words);
  });
});
