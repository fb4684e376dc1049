import { writeFile } from 'node:fs/promises';
import { recipes } from './list.ts';
import { compileRecipe, readRecipe, recipePath } from './recipes.ts';

/** Writes what every recipe comes out as today; read the difference before you commit it. */
for (const { slug } of recipes) {
  const recipe = readRecipe(slug);
  const expected = compileRecipe(slug, recipe);
  await writeFile(recipePath(slug), `${JSON.stringify({ ...recipe, expected }, null, 2)}\n`);
}
console.log(`wrote the expected output of ${recipes.length} recipes`);
