import { archiveTemplate as operation } from '@stanza/contracts';
import { archiving } from '../archiving.ts';
import type { WriteDependencies } from '../dependencies.ts';

/** Archives a template. */
export const archiveTemplate = (dependencies: WriteDependencies) =>
  archiving(operation, 'template', dependencies);
