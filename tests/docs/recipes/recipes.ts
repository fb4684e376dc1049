import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Program, parseTemplate, runProgram } from '@stanza/engine';
import { z } from 'zod';
import { root } from '../markdown.ts';

/** The folder of the recipes. */
export const recipesFolder = join(root, 'docs/examples/recipes');

/** When recipes are compiled and drawn, for what tells how long ago something was. */
export const recipeTime = new Date('2026-11-26T20:30:00Z');

const json = z.record(z.string(), z.unknown());

const recipeFile = z.strictObject({
  /** As `POST /v1/templates` takes it. */
  template: z.strictObject({
    name: z.string(),
    blocks: z.array(json),
  }),
  data: json,
  expected: z
    .strictObject({ blocks: z.array(json), text: z.string(), warnings: z.array(z.string()) })
    .optional(),
});

/** A recipe as it is stored. A new one has no expected result yet, which its test reports. */
export type Recipe = z.output<typeof recipeFile>;

/** The file of a recipe. */
export const recipePath = (slug: string): string => join(recipesFolder, `${slug}.json`);

/** Reads a recipe. */
export const readRecipe = (slug: string): Recipe =>
  recipeFile.parse(JSON.parse(readFileSync(recipePath(slug), 'utf8')));

/** The program of a recipe. */
export const programOf = (slug: string, { template }: Recipe): Program => {
  const parsed = parseTemplate(template.blocks, { surface: 'message' });
  if (!parsed.ok) throw new Error(`${slug} does not parse: ${JSON.stringify(parsed.problems, null, 2)}`);
  return parsed.program;
};

/** What a recipe comes out as today. */
export const compileRecipe = (slug: string, recipe: Recipe): NonNullable<Recipe['expected']> => {
  const result = runProgram(programOf(slug, recipe), recipe.data, { now: recipeTime });
  if (!result.ok) throw new Error(`${slug} does not compile: ${JSON.stringify(result.problems, null, 2)}`);
  const { blocks, text, warnings } = result;
  return { blocks, text, warnings };
};
