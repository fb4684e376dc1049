import { decryptToken, encryptToken, type Keyring, UnreadableToken } from '@stanza/runtime';
import { z } from 'zod';
import { signInLifeS } from './cookies.ts';

const boundTo = 'console sign-in';

const pending = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** Path of the console to go on with. */
  returnTo: z.string(),
  /** Milliseconds since 1970. */
  at: z.number(),
});

/** A sign-in that is under way, as the browser keeps it. */
export type PendingSignIn = z.output<typeof pending>;

/** Encrypts a sign-in, so that the browser can neither read nor change it. */
export const encryptSignIn = (signIn: PendingSignIn, keys: Keyring): string => {
  const { ciphertext, keyId } = encryptToken(JSON.stringify(signIn), boundTo, keys);
  return `${keyId}.${ciphertext.toString('base64url')}`;
};

/** Decrypts what {@link encryptSignIn} made; undefined when it is another's, changed, or too old. */
export const decryptSignIn = (
  value: string | undefined,
  keys: Keyring,
  now: number,
): PendingSignIn | undefined => {
  const [keyId = '', text = ''] = value?.split('.') ?? [];
  try {
    const ciphertext = Buffer.from(text, 'base64url');
    const signIn = pending.parse(JSON.parse(decryptToken({ ciphertext, keyId }, boundTo, keys)));
    return now - signIn.at < signInLifeS * 1_000 ? signIn : undefined;
  } catch (error) {
    if (error instanceof UnreadableToken) return undefined;
    throw error;
  }
};

/** A path inside the console; anything else would let a link lead a person elsewhere after signing in. */
export const safeReturn = (given: unknown): string => {
  const fits =
    typeof given === 'string' && /^\/console\/[\w\-./?=&%~:,+@]*$/.test(given) && !given.includes('//');
  return fits && given.length <= 1_000 ? given : '/console/';
};
