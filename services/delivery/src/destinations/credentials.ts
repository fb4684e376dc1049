import { randomBytes } from 'node:crypto';
import { CodedError, type SigningSecret } from '@stanza/contracts';
import {
  decryptToken,
  type EncryptedToken,
  encryptToken,
  type Keyring,
  type Tenant,
  UnreadableToken,
} from '@stanza/runtime';
import { z } from 'zod';
import type { DestinationRow } from './destination-tables.ts';

/** Headers of a destination by name, in clear. */
export type Headers = Readonly<Record<string, string>>;

/** The encrypted parts of a destination. */
type Secret = 'headers' | 'signing-secret';

/** Bytes of a signing secret; the standard asks for 24 to 64. */
const secretBytes = 32;

const headersSchema = z.record(z.string(), z.string());

/**
 * The context that a ciphertext is bound to: it cannot be decrypted in any other row, or as another secret of its row.
 */
export const credentialBinding = (
  { organizationId, environment }: Tenant,
  id: string,
  secret: Secret,
): string => `destination:${organizationId}:${environment}:${id}:${secret}`;

const decrypt = (
  tenant: Tenant,
  id: string,
  secret: Secret,
  encrypted: EncryptedToken,
  keyring: Keyring,
): string => {
  try {
    return decryptToken(encrypted, credentialBinding(tenant, id, secret), keyring);
  } catch (cause) {
    if (!(cause instanceof UnreadableToken)) throw cause;
    const message = 'The credentials of the destination cannot be decrypted with the configured keys.';
    throw new CodedError('misconfigured', { message }, { cause });
  }
};

/** The columns of a destination's headers. */
export const encryptHeaders = (
  tenant: Tenant,
  id: string,
  headers: Headers,
  keyring: Keyring,
): Pick<DestinationRow, 'header_names' | 'headers_ciphertext' | 'headers_key_id'> => {
  const encrypted = encryptToken(JSON.stringify(headers), credentialBinding(tenant, id, 'headers'), keyring);
  return {
    header_names: Object.keys(headers),
    headers_ciphertext: encrypted.ciphertext,
    headers_key_id: encrypted.keyId,
  };
};

/**
 * The headers of a destination in clear.
 * @throws CodedError `misconfigured` when no key decrypts them
 */
export const decryptHeaders = (tenant: Tenant, row: DestinationRow, keyring: Keyring): Headers => {
  const encrypted = { ciphertext: row.headers_ciphertext, keyId: row.headers_key_id };
  return headersSchema.parse(JSON.parse(decrypt(tenant, row.id, 'headers', encrypted, keyring)));
};

/** Makes a signing secret and its columns. */
export const newSigningSecret = (
  tenant: Tenant,
  id: string,
  keyring: Keyring,
): { secret: string; columns: Pick<DestinationRow, 'secret_ciphertext' | 'secret_key_id'> } => {
  const secret = `whsec_${randomBytes(secretBytes).toString('base64')}`;
  const encrypted = encryptToken(secret, credentialBinding(tenant, id, 'signing-secret'), keyring);
  return { secret, columns: { secret_ciphertext: encrypted.ciphertext, secret_key_id: encrypted.keyId } };
};

type PreviousColumns = Pick<
  DestinationRow,
  'previous_secret_ciphertext' | 'previous_secret_key_id' | 'previous_secret_until'
>;

const noPrevious: PreviousColumns = {
  previous_secret_ciphertext: null,
  previous_secret_key_id: null,
  previous_secret_until: null,
};

/** Secrets before the current one that are kept; more rotations in a day end the oldest early. */
const maxPrevious = 4;

/** The columns of the secrets before a rotation, newest first; empty where none could be decrypted. */
export const encryptPrevious = (
  tenant: Tenant,
  id: string,
  previous: SigningSecrets['previous'],
  keyring: Keyring,
): PreviousColumns => {
  if (!previous) return noPrevious;
  // A secret is base64, and holds no space.
  const text = previous.secrets.slice(0, maxPrevious).join(' ');
  const encrypted = encryptToken(text, credentialBinding(tenant, id, 'signing-secret'), keyring);
  return {
    previous_secret_ciphertext: encrypted.ciphertext,
    previous_secret_key_id: encrypted.keyId,
    previous_secret_until: previous.until,
  };
};

/** The secrets that sign at a given moment. */
export interface SigningSecrets {
  current: string;
  /** Those before, newest first, count while receivers may still use them. */
  previous?: { secrets: readonly string[]; until: Date };
}

/**
 * The signing secrets of a destination in clear.
 * @throws CodedError `misconfigured` when no key decrypts them
 */
export const decryptSigningSecrets = (
  tenant: Tenant,
  row: DestinationRow,
  keyring: Keyring,
  now: Date,
): SigningSecrets => {
  const read = (ciphertext: Buffer, keyId: string) =>
    decrypt(tenant, row.id, 'signing-secret', { ciphertext, keyId }, keyring);
  const current = read(row.secret_ciphertext, row.secret_key_id);
  const {
    previous_secret_ciphertext: ciphertext,
    previous_secret_key_id: keyId,
    previous_secret_until: until,
  } = row;
  if (!ciphertext || keyId === null || !until || until <= now) return { current };
  return { current, previous: { secrets: read(ciphertext, keyId).split(' '), until } };
};

/**
 * The secrets that a rotation keeps, newest first. Those before the current one too: where the answer of a rotation is lost
 * and it is asked for again, receivers know none but the oldest. One that no key decrypts is left out, since then only a
 * new one helps.
 */
export const secretsBefore = (
  tenant: Tenant,
  row: DestinationRow,
  keyring: Keyring,
  now: Date,
): readonly string[] => {
  const readable = (some: DestinationRow): readonly string[] => {
    try {
      const { current, previous } = decryptSigningSecrets(tenant, some, keyring, now);
      return [current, ...(previous?.secrets ?? [])];
    } catch (error) {
      if (error instanceof CodedError && error.code === 'misconfigured') return [];
      throw error;
    }
  };
  const all = readable(row);
  return all.length > 0 ? all : readable({ ...row, ...noPrevious });
};

/** The signing secrets as the API shows them. */
export const presentSecrets = ({ current, previous }: SigningSecrets): SigningSecret => ({
  secret: current,
  ...(previous && {
    previous_secret: previous.secrets[0],
    previous_valid_until: previous.until.toISOString(),
  }),
});
