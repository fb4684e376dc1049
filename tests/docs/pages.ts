import { errorPage } from '@stanza/contracts';

/** Every page of `docs/` that is made from the code, by its file. */
export const generatedPages = (): Record<string, string> => ({ 'docs/errors.md': errorPage() });
