import { CodedError } from '@stanza/contracts';

/** Minimum letters and digits of a search. */
const fewest = 2;

/**
 * The search words in the form of the index: in lower case and without diacritics.
 * @throws CodedError `invalid_search_query` for less than two letters or digits
 */
export const searchWords = (q: string | undefined): string => {
  const words = (q ?? '')
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();
  const letters = words.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  if (letters < fewest) throw new CodedError('invalid_search_query');
  return words;
};
