import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { codeOf, StackFailure } from './failure.ts';

const secretsSchema = z.object({
  /** Password of the embedded Postgres' superuser. */
  postgres: z.string(),
  /** Passwords of the database roles, by role. */
  roles: z.record(z.string(), z.string()),
  /** Passwords of the NATS users, by user. */
  nats: z.record(z.string(), z.string()),
  /** Signing secret of the chat platform (here: the sandbox). */
  chat_signing_secret: z.string(),
  /** Secret of requests to the stand-in of an identity provider; older stacks have none. */
  identity_secret: z.string().default(() => newPassword()),
  /** `<id>:<base64 of 32 bytes>`, the first of several is current. */
  encryption_keys: z.string(),
  /** Encrypts the refresh tokens of people in the console; stacks of before had none. */
  console_keys: z.string().default(() => newKey()),
  /** `<id>:<base64 of 32 bytes>`, the first of several is current. */
  key_hash_secrets: z.string(),
});

/** All secrets of one stack, created at its first start and kept for later ones. */
export type StackSecrets = z.output<typeof secretsSchema>;

/** The passwords of a group of users: stored ones, and new ones for users without. */
export const passwordsFor = (
  names: readonly string[],
  kept: Record<string, string>,
): Record<string, string> => ({
  ...kept,
  ...Object.fromEntries(
    names.filter((name) => kept[name] === undefined).map((name) => [name, newPassword()]),
  ),
});

/** A password that needs no encoding in an address. */
export const newPassword = (): string => randomBytes(24).toString('base64url');

/** A key with its id, in the form of the settings. */
export const newKey = (): string => `k1:${randomBytes(32).toString('base64')}`;

/** Secrets of a stack that has no users yet. */
export const newSecrets = (): StackSecrets => ({
  postgres: newPassword(),
  roles: {},
  nats: {},
  chat_signing_secret: randomBytes(16).toString('hex'),
  identity_secret: newPassword(),
  encryption_keys: newKey(),
  console_keys: newKey(),
  key_hash_secrets: newKey(),
});

/** Reads the secrets of an existing stack. */
export const readSecrets = (file: string): StackSecrets =>
  secretsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));

const keptSecrets = (file: string): StackSecrets | undefined => {
  try {
    return readSecrets(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    if (codeOf(error) !== undefined) throw error;
    throw new StackFailure(
      `${file} cannot be read as the secrets of a stack.`,
      'Restore the file of this data, or start again with "npm start -- --fresh" (which deletes the data).',
      { cause: error },
    );
  }
};

/** Settings whose stored values still open what was written with them. */
const keyRings = {
  STANZA_ENCRYPTION_KEYS: 'encryption_keys',
  STANZA_CONSOLE_KEYS: 'console_keys',
  STANZA_KEY_HASH_SECRETS: 'key_hash_secrets',
} as const;

const keysOf = (ring: string): string[] => ring.split(',').map((key) => key.trim());

/** A rotation shares a key with what is stored; a list that shares none would lose the only copy of the keys in use. */
const refuseForeignKeys = (file: string, kept: StackSecrets, given: Partial<StackSecrets>): void => {
  for (const [setting, name] of Object.entries(keyRings)) {
    const ring = given[name];
    if (ring === undefined || keysOf(ring).some((key) => keysOf(kept[name]).includes(key))) continue;
    throw new StackFailure(
      `${setting} has none of the keys in use, which are "${name}" in ${file}.`,
      `What was written with them could not be read any more. Put them behind yours, separated by a comma.`,
    );
  }
};

/**
 * Reads the secrets of a stack, or creates them; only the owner can read the file. Given secrets replace stored ones.
 * @throws StackFailure where given keys would replace all stored ones
 */
export const loadSecrets = async (
  file: string,
  users: { roles: readonly string[]; nats: readonly string[] },
  given: Partial<StackSecrets> = {},
): Promise<StackSecrets> => {
  const stored = keptSecrets(file);
  if (stored) refuseForeignKeys(file, stored, given);
  const kept = { ...(stored ?? newSecrets()), ...given };
  const secrets = {
    ...kept,
    roles: passwordsFor(users.roles, kept.roles),
    nats: passwordsFor(users.nats, kept.nats),
  };
  await writeFile(`${file}.new`, JSON.stringify(secrets, null, 2), { mode: 0o600 });
  await rename(`${file}.new`, file);
  return secrets;
};
