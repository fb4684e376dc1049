import type { TestResult } from '@jest/test-result';
import type { Config } from '@jest/types';

/** What a worker is told once, before its first file. */
export interface WorkerSettings {
  project: Config.ProjectConfig;
  /** Milliseconds that a test or a hook may hang. */
  testTimeout: number;
  testNamePattern: string | undefined;
}

/** What the runner sends to a worker. */
export type ToWorker = { settings: WorkerSettings } | { run: string };

/** What a worker answers to a file. */
export interface FromWorker {
  result: TestResult;
  /** Bytes of memory that the worker holds. */
  memory: number;
}
