import * as contracts from '@stanza/contracts';
import { handle, reencryptToken, type Tenant } from '@stanza/runtime';
import { accessBinding } from '../connections/chat-access.ts';
import {
  type EncryptedKind,
  listSecrets,
  replaceSecret,
  type StoredSecret,
} from '../connections/store/encrypted-columns.ts';
import { Deadline } from '../deadline.ts';
import type { Dependencies } from '../dependencies.ts';
import { credentialBinding } from '../destinations/credentials.ts';

/** Secrets read at one time. */
const batch = 200;
/** Milliseconds reserved for the batch in flight. */
const batchMs = 2_000;

/** The context that each kind of secret is bound to. */
const bindings: Record<EncryptedKind, (tenant: Tenant, id: string) => string> = {
  chat_token: accessBinding,
  destination_headers: (tenant, id) => credentialBinding(tenant, id, 'headers'),
  signing_secret: (tenant, id) => credentialBinding(tenant, id, 'signing-secret'),
  previous_signing_secret: (tenant, id) => credentialBinding(tenant, id, 'signing-secret'),
};

type Needs = Pick<Dependencies, 'database' | 'keyring' | 'clock'>;

const rotateOne = async (
  { database, keyring }: Needs,
  kind: EncryptedKind,
  secret: StoredSecret,
): Promise<'rotated' | 'unreadable' | 'kept'> => {
  const renewed = reencryptToken(secret.encrypted, bindings[kind](secret.tenant, secret.id), keyring);
  if (!renewed) return 'unreadable';
  if (secret.encrypted.keyId === keyring.current.id) return 'kept';
  return (await replaceSecret(secret.tenant, database, kind, secret, renewed)) ? 'rotated' : 'kept';
};

const rotateKind = async (needs: Needs, kind: EncryptedKind, deadline: Deadline) => {
  const count = { rotated: 0, unreadable: 0, kept: 0 };
  let last: StoredSecret | undefined;
  while (deadline.remaining > 0) {
    const secrets = await listSecrets(needs.database, kind, last, batch);
    for (const secret of secrets) count[await rotateOne(needs, kind, secret)] += 1;
    last = secrets.at(-1);
    if (!last) return { kind, ...count, done: true };
  }
  return { kind, ...count, done: false };
};

/**
 * Re-encrypts every secret with the newest key. Each is committed by itself, so an interrupted run keeps its progress.
 * It also reads those of the newest key: another key under the same id does not decrypt them.
 */
export const rotateEncryption = (needs: Needs) =>
  handle(contracts.rotateEncryption, async ({ context }) => {
    const deadline = Deadline.forCaller(needs.clock, context.deadline).before(batchMs);
    const ends = [];
    for (const kind of contracts.encryptedKinds) ends.push(await rotateKind(needs, kind, deadline));
    return {
      key_id: needs.keyring.current.id,
      done: ends.every(({ done }) => done),
      secrets: ends.map(({ kind, rotated, unreadable }) => ({ kind, rotated, unreadable })),
    };
  });
