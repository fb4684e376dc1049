import { limits } from './tests/kit/limits.ts';

/** One project a level; the level stands in the file's name. */
const level = (name) => ({
  displayName: name,
  testMatch: [`**/*.${name}.test.ts`],
  // Tests run from their sources in bare Node, which finds the sources of our packages by an export condition.
  runner: '<rootDir>/tests/runner/bare/runner.ts',
  transform: {},
  modulePathIgnorePatterns: ['/dist/', '/\\.stanza/'],
});

export default {
  testSequencer: '<rootDir>/tests/runner/jest.sequencer.mjs',
  testTimeout: limits.testMs,
  projects: [
    'unit',
    'int',
    'contract',
    'tenancy',
    'e2e',
    'conformance',
    'browser',
    'faults',
    'rollout',
    'images',
    'cluster',
    'alerts',
  ].map(level),
};
