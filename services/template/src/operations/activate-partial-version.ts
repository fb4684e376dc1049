import { activatePartialVersion as operation } from '@stanza/contracts';
import { activating } from '../activating.ts';
import type { Dependencies } from '../dependencies.ts';
import { presentPartialVersion } from '../domain/present-template.ts';

/** Makes a version of a partial the live one; what is saved after the answer takes it. */
export const activatePartialVersion = (dependencies: Pick<Dependencies, 'database' | 'outbox' | 'rpc'>) =>
  activating(operation, 'partial', presentPartialVersion, dependencies);
