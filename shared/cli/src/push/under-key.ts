import { StanzaError } from '@stanza/sdk';

/** Keys that are tried; each stands for a failure of its own. */
const most = 20;

const isKeptFailure = (error: unknown): boolean =>
  error instanceof StanzaError && error.replayed && error.status < 500;

/**
 * Makes a request under an idempotency key. A key keeps a refusal for a day also after its cause is gone; a refusal has done
 * nothing, so that the next key, always the same one, may be taken in its place.
 */
export const underKey = async <T>(key: string, run: (key: string) => Promise<T>): Promise<T> => {
  for (let number = 1; ; number += 1) {
    try {
      return await run(number === 1 ? key : `${key}-${number}`);
    } catch (error) {
      if (number === most || !isKeptFailure(error)) throw error;
    }
  }
};
