import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import type { JWK } from 'jose';

/** The one algorithm that the sandbox signs with. */
export const algorithm = 'ES256';

/** A pair of keys with the id in the tokens. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

function newKey(): SigningKey {
  return { kid: randomUUID(), ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) };
}

/** The keys of the identity provider: the current one signs, and former ones may stay published. */
export class SigningKeys {
  #current = newKey();
  #older: readonly SigningKey[] = [];

  /** The key that signs now. */
  get current(): SigningKey {
    return this.#current;
  }

  /** Signs with a new key from now on; former keys are dropped unless kept, which invalidates their tokens. */
  rotate(keepsOlder: boolean): SigningKey {
    this.#older = keepsOlder ? [this.#current, ...this.#older] : [];
    this.#current = newKey();
    return this.#current;
  }

  /** The public halves, as a JSON Web Key Set. */
  published(): { keys: JWK[] } {
    const keys = [this.#current, ...this.#older].map(({ kid, publicKey }) => ({
      ...publicKey.export({ format: 'jwk' }),
      kid,
      alg: algorithm,
      use: 'sig',
    }));
    return { keys };
  }
}
