import type { AnyTool } from '../tool.ts';
import { diff, impact } from './compare.ts';
import { explain } from './explain.ts';
import { find } from './find.ts';
import { language } from './language.ts';
import { preview } from './preview.ts';
import { proposals, propose } from './propose.ts';
import { read } from './read.ts';
import { testSend } from './test-send.ts';
import { validate } from './validate.ts';
import { create, draft, save } from './write.ts';

/**
 * Every tool, in the order of an author's work. None deletes, makes anything live, or sends anywhere but to a listed
 * target of tests.
 */
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
  propose,
  proposals,
  testSend,
  explain,
];
