import type { Dependencies } from './dependencies.ts';
import { countKeysOfOthers } from './store/api-keys.ts';

/**
 * Tells the operator of keys that were hashed with a secret which is missing from the settings: their holders read that the
 * key is not known.
 */
export const checkKeyHashes = async ({
  database,
  keyHashes,
  log,
}: Pick<Dependencies, 'database' | 'keyHashes' | 'log'>): Promise<void> => {
  for (const { hash_key_id, count } of await countKeysOfOthers(database, keyHashes.ids)) {
    log.error({ hash_key_id, count }, 'API keys are refused: the secret that hashed them is not configured');
  }
};
