import { archivePartial as operation } from '@stanza/contracts';
import { archiving } from '../archiving.ts';
import type { WriteDependencies } from '../dependencies.ts';

/** Archives a partial: nothing begins to use it. */
export const archivePartial = (dependencies: WriteDependencies) =>
  archiving(operation, 'partial', dependencies);
