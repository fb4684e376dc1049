import { readFileSync } from 'node:fs';

/** What a file holds, or undefined where there is none or its writing was cut off. */
export const readJson = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
};
