import { unarchivePartial as operation } from '@stanza/contracts';
import type { Dependencies } from '../dependencies.ts';
import { unarchiving } from '../unarchiving.ts';

/** Unarchives a partial. */
export const unarchivePartial = (dependencies: Dependencies) =>
  unarchiving(operation, 'partial', dependencies);
