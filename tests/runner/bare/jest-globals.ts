import { ModernFakeTimers } from '@jest/fake-timers';
import type { Config } from '@jest/types';
import { ModuleMocker } from 'jest-mock';

export { jestExpect as expect } from '@jest/expect';
export { afterAll, afterEach, beforeAll, beforeEach, describe, it, test } from 'jest-circus';

const mocker = new ModuleMocker(globalThis);
let made: ModernFakeTimers | undefined;

/** The timers of this process, faked or not. */
const timers = (): ModernFakeTimers => {
  if (made === undefined) throw new Error('the globals have no configuration yet');
  return made;
};

/** Makes the globals ready for the tests of a project. */
export const configureGlobals = (config: Config.ProjectConfig): void => {
  made ??= new ModernFakeTimers({ config, global: globalThis });
};

/** The part of jest's object that tests use here; a call of anything else fails at once. */
export const jest = {
  fn: mocker.fn.bind(mocker),
  spyOn: mocker.spyOn.bind(mocker),
  useFakeTimers: (options?: Config.FakeTimersConfig): void => timers().useFakeTimers(options),
  useRealTimers: (): void => timers().useRealTimers(),
  advanceTimersByTime: (ms: number): void => timers().advanceTimersByTime(ms),
  advanceTimersByTimeAsync: (ms: number): Promise<void> => timers().advanceTimersByTimeAsync(ms),
  getTimerCount: (): number => timers().getTimerCount(),
};

/** Undoes what a test file has faked, so that the next file of the process begins as the first did. */
export const restoreGlobals = (): void => {
  made?.useRealTimers();
  mocker.restoreAllMocks();
};
