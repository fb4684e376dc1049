import type { agentViewFile } from './agent-view.ts';
import type { BuiltFile } from './built-files.ts';
import type { galleryFile } from './gallery-module.ts';
import { operationsModule } from './python/write-operations.ts';
import { rulesModule } from './python/write-rules.ts';
import { typesModule } from './python/write-types.ts';
import { retriesFile, versionFile } from './write-constants.ts';
import { examplesFile } from './write-examples.ts';
import { methodsFile } from './write-methods.ts';
import { referencePage } from './write-page.ts';
import { typesFile } from './write-types.ts';

/** Everything about the SDK that is made from the registry, by its path in the checkout. */
export const sdkFiles = (): Record<
  Exclude<BuiltFile, typeof agentViewFile | typeof galleryFile>,
  string
> => ({
  'shared/sdk/src/generated/types.ts': typesFile(),
  'shared/sdk/src/generated/operations.ts': methodsFile(),
  'shared/sdk/src/generated/retries.ts': retriesFile(),
  'shared/sdk/src/generated/version.ts': versionFile(),
  'shared/sdk-python/stanza_sdk/_types.py': typesModule(),
  'shared/sdk-python/stanza_sdk/_operations.py': operationsModule(),
  'shared/sdk-python/stanza_sdk/_rules.py': rulesModule(),
  'docs/sdk-reference.md': referencePage(),
  'tests/docs/examples/sdk.ts': examplesFile(),
});
