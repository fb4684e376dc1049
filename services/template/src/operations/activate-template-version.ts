import { activateTemplateVersion as operation } from '@stanza/contracts';
import { activating } from '../activating.ts';
import type { Dependencies } from '../dependencies.ts';
import { presentVersion } from '../domain/present-template.ts';

/** Makes a version the live one and logs the change; compiles that start after the answer use it. */
export const activateTemplateVersion = (dependencies: Pick<Dependencies, 'database' | 'outbox' | 'rpc'>) =>
  activating(operation, 'template', presentVersion, dependencies);
