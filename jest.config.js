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

const level = (name, more = {}) => ({
  ...common,
  displayName: name,
  testMatch: [`**/*.${name}.test.ts`],
  ...more,
});

const slow = { setupFilesAfterEnv: ['<rootDir>/shared/stack/jest.slow.mjs'] };

export default {
  testSequencer: '<rootDir>/shared/stack/jest.sequencer.mjs',
  projects: [
    level('unit'),
    ...['int', 'contract', 'tenancy', 'e2e', 'browser', 'timed', 'faults', 'rollout', 'images'].map((name) =>
      level(name, slow),
    ),
  ],
};
