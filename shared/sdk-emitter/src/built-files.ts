/** What the build writes next to the `dist` folders, by its path in the checkout. */
export const builtFiles = [
  'shared/sdk/src/generated/types.ts',
  'shared/sdk/src/generated/operations.ts',
  'shared/sdk/src/generated/retries.ts',
  'shared/sdk/src/generated/version.ts',
  'shared/sdk-python/stanza_sdk/_types.py',
  'shared/sdk-python/stanza_sdk/_operations.py',
  'shared/sdk-python/stanza_sdk/_rules.py',
  'shared/mcp/src/preview-view.ts',
  'shared/cli/src/gallery.ts',
  'docs/sdk-reference.md',
  'tests/docs/examples/sdk.ts',
] as const;

/** One of them. */
export type BuiltFile = (typeof builtFiles)[number];
