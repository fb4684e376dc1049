import { readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { deriveInputs } from '@stanza/engine';
import { findProblems } from '@stanza/sandbox/limits';
import { recipes } from './list.ts';
import { recipesPage } from './page.ts';
import { compileRecipe, programOf, readRecipe, recipesFolder } from './recipes.ts';

const each = recipes.map((told) => [told.slug, told] as const);

describe('a recipe for values', () => {
  it.each(each)('compiles to its expected result (npm run recipes:expect writes it): %s', (slug) => {
    const recipe = readRecipe(slug);
    expect(compileRecipe(slug, recipe)).toEqual(recipe.expected);
  });

  it.each(each)('is a message that the platform takes: %s', (slug) => {
    expect(findProblems(compileRecipe(slug, readRecipe(slug)).blocks, 'message', '/blocks')).toEqual([]);
  });

  it.each(each)('reads data of one shape, and has the name of its title: %s', (slug, { title }) => {
    const recipe = readRecipe(slug);
    expect(deriveInputs(programOf(slug, recipe), recipe.data).warnings).toEqual([]);
    expect(recipe.template.name).toBe(title);
  });

  it('has a file, and every file is on the page', () => {
    expect(readdirSync(recipesFolder).sort()).toEqual(recipes.map(({ slug }) => `${slug}.json`).sort());
    const page = recipesPage();
    for (const { slug, title } of recipes) {
      expect(page).toContain(`### ${title}\n`);
      expect(page).toContain(`(images/recipes/${slug}.png)`);
    }
  });
});
