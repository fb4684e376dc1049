import { validationFailed } from '@stanza/contracts';
import type { DestinationDependencies } from './dependencies.ts';
import { refusalOfUrl } from './outbound-addresses.ts';

/**
 * Checks the address of a destination to be saved.
 * @throws CodedError `validation_failed` when its text alone shows that it is not allowed
 */
export const checkUrl = ({ rules, countRefused }: DestinationDependencies, url: string): void => {
  const parsed = URL.parse(url);
  const refusal = parsed ? refusalOfUrl(rules, parsed) : 'is not an address';
  if (refusal === undefined) return;
  countRefused('save');
  const message = `must not be reached from here: it ${refusal}`;
  throw validationFailed([{ code: 'custom', path: ['url'], message }]);
};
