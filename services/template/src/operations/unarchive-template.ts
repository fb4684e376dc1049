import { unarchiveTemplate as operation } from '@stanza/contracts';
import type { Dependencies } from '../dependencies.ts';
import { unarchiving } from '../unarchiving.ts';

/** Unarchives a template. */
export const unarchiveTemplate = (dependencies: Dependencies) =>
  unarchiving(operation, 'template', dependencies);
