import type { JSONWebKeySet } from 'jose';
import { z } from 'zod';

/** Timeout of the provider, milliseconds; requests with a token of a new key wait for it. */
const timeoutMs = 3_000;
/** Bytes; actual key sets have some thousands. */
const largest = 256 * 1024;

/** jose checks the individual keys; a set without a list of keys is invalid. */
const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });

/** The key set of the identity provider could not be fetched. */
export class ProviderUnreachable extends Error {
  override readonly name = 'ProviderUnreachable';
}

const readBounded = async (response: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > largest) throw new ProviderUnreachable(`the key set is larger than ${largest} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

/**
 * Fetches the signing keys of an identity provider. The address is the operator's, so it may be private; redirects are
 * not followed.
 * @throws ProviderUnreachable for any failure
 */
export const fetchKeySet = async (url: string): Promise<JSONWebKeySet> => {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/jwk-set+json, application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new ProviderUnreachable(`the identity provider answered ${response.status}`);
    }
    return keySet.parse(JSON.parse(await readBounded(response)));
  } catch (error) {
    if (error instanceof ProviderUnreachable) throw error;
    throw new ProviderUnreachable('the key set could not be fetched', { cause: error });
  }
};
