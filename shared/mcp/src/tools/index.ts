import type { AnyTool } from '../tool.ts';
import { diff, impact } from './compare.ts';
import { explain } from './explain.ts';
import { find } from './find.ts';
import { language } from './language.ts';
import { preview } from './preview.ts';
import { read } from './read.ts';
import { validate } from './validate.ts';
import { create, draft, save } from './write.ts';

/** Every tool, in the order of an author's work. None deletes, sends or makes anything live. */
export const tools: readonly AnyTool[] = [
  find,
  read,
  language,
  create,
  draft,
  validate,
  preview,
  diff,
  impact,
  save,
  explain,
];
