import { types } from 'node:util';

/** A failure that keeps the stack from running, with advice for the person who started it. */
export class StackFailure extends Error {
  /** What to do, as one or more full sentences. */
  readonly advice: string;

  constructor(what: string, advice: string, options?: ErrorOptions) {
    super(what, options);
    this.name = 'StackFailure';
    this.advice = advice;
  }
}

/** The message of a thrown value. */
export const messageOf = (thrown: unknown): string =>
  types.isNativeError(thrown) ? thrown.message : String(thrown);

/** The code of a system or database error (`ENOENT`, `28P01`), if it has one. */
export const codeOf = (thrown: unknown): string | undefined =>
  typeof thrown === 'object' && thrown !== null && 'code' in thrown && typeof thrown.code === 'string'
    ? thrown.code
    : undefined;

const authority =
  'Add sslmode=verify-full&sslrootcert=<file of its authority> to the address: docs/postgres.md, TLS.';

/** Of the system, of Node.js, of TLS and of Postgres, by code. */
const systemAdvice: Record<string, string> = {
  EACCES:
    'An earlier start ran as another user: start as that one, or make the folder yours (sudo chown -R).',
  EPERM: 'An earlier start ran as another user: start as that one, or make the folder yours (sudo chown -R).',
  EROFS: 'Make the file system writable, or move the checkout to one that is.',
  EISDIR: 'Name a file, not a folder.',
  ENOENT: 'Check the path.',
  ERR_INVALID_URL:
    'Write the address as postgres://user:password@host:5432/database, or as nats://host:4222.',
  ENOSPC: 'Free some disk space.',
  EMFILE: 'Raise the limit of open files ("ulimit -n 4096").',
  ECONNREFUSED: 'Nothing listens there: check host and port of the address, and whether the server runs.',
  EADDRINUSE: 'Another process listens there: stop it, or set another port.',
  ENOTFOUND: 'Check the host of the address.',
  ETIMEDOUT: 'Check host and port of the address, and what the network lets through.',
  DEPTH_ZERO_SELF_SIGNED_CERT: authority,
  SELF_SIGNED_CERT_IN_CHAIN: authority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: authority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: authority,
  ERR_TLS_CERT_ALTNAME_INVALID: 'Name the host in the address as its certificate does.',
  '28000':
    'Postgres lets this user in from elsewhere only, or with TLS only: see pg_hba.conf, and docs/postgres.md, TLS.',
  '28P01': 'Check user and password of the address.',
  '3D000': 'Create the database first, or correct its name in the address.',
};

/** A thrown value as a failure; the advice is empty when none is known. */
export const asFailure = (thrown: unknown): StackFailure => {
  if (thrown instanceof StackFailure) return thrown;
  const advice = systemAdvice[codeOf(thrown) ?? ''];
  if (advice !== undefined) return new StackFailure(messageOf(thrown), advice, { cause: thrown });
  const text = types.isNativeError(thrown) ? (thrown.stack ?? thrown.message) : String(thrown);
  return new StackFailure(text, '', { cause: thrown });
};
