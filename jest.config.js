import { limits } from './tests/kit/limits.ts';

/**
 * One project a level; the level stands in the file's name. Workspace packages resolve to their TypeScript
 * sources through the condition `@stanza/source`, so no test ever runs against a stale build.
 */
const common = {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@stanza/source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2024' },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  modulePathIgnorePatterns: ['/dist/', '/\\.stanza/'],
};

const level = (name) => ({ ...common, displayName: name, testMatch: [`**/*.${name}.test.ts`] });

export default {
  testSequencer: '<rootDir>/shared/stack/jest.sequencer.mjs',
  testTimeout: limits.testMs,
  projects: ['unit', 'int', 'contract', 'tenancy', 'e2e', 'browser', 'faults', 'rollout', 'images'].map(
    level,
  ),
};
