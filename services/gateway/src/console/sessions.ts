import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, CodedError, type InputOf, type Person, recordSignIn } from '@stanza/contracts';
import {
  type Database,
  decryptToken,
  encryptToken,
  type Keyring,
  type Logger,
  newContext,
  type Outbox,
  type RpcClient,
  type Transaction,
  UnreadableToken,
} from '@stanza/runtime';
import {
  claimRenewal,
  endSession,
  type FoundSession,
  findSession,
  insertSession,
  type NewSession,
  renewSession,
} from '../store/console-sessions.ts';
import { spendSignIn } from '../store/spent-sign-ins.ts';
import { type ConsoleProvider, ProviderAway, type SignedIn, SignInRefused } from './provider.ts';

/** Seconds for which a session goes on while the provider cannot be asked, or another request asks it. */
const graceS = 900;
/** Milliseconds for which a request waits for the one that asks the provider, and between its looks. */
const renewalMs = { most: 6_000, look: 100 } as const;

/** Who acts in a session of the console. */
export type SessionHolder = { kind: 'person'; person: Person } | { kind: 'key'; keyDigest: string };

/** The request by which someone signs in or out, for the audit log. */
export interface SignInRequest {
  requestId: string;
  client: Client;
  at: Date;
}

type Holder = Pick<NewSession, 'keyDigest' | 'subject' | 'issuer'>;

type Outcome = InputOf<typeof recordSignIn>['outcome'];

const toldOf = (outcome: Outcome, { requestId: request_id, client, at }: SignInRequest) => ({
  ...{ outcome, request_id, client },
  at: at.toISOString(),
});

/** How people sign in; undefined where keys alone are taken. */
export interface PeopleSignIn {
  issuer: string;
  clientId: string;
  provider: ConsoleProvider;
  keys: Keyring;
}

const digestOf = (cookie: string): Buffer => createHash('sha256').update(cookie).digest();

const boundTo = (digest: Buffer): string => `console session ${digest.toString('hex')}`;

const ended = (): CodedError =>
  new CodedError('invalid_token', { message: 'The session has ended; sign in again.' });

const unknown = (cause: unknown): CodedError =>
  new CodedError(
    'service_unavailable',
    { message: 'The session cannot be checked at the moment; nothing was done.', retry_after: 1 },
    { cause },
  );

/**
 * The sessions of the console. The cookie is a random number whose digest alone is stored; each request reads the row,
 * so signing out ends a session on every gateway at once.
 */
export class ConsoleSessions {
  readonly #database: Database;
  readonly #outbox: Outbox;
  readonly #rpc: Pick<RpcClient, 'call'>;
  readonly #log: Logger;
  readonly #people: PeopleSignIn | undefined;

  constructor(
    dependencies: { database: Database; outbox: Outbox; rpc: Pick<RpcClient, 'call'>; log: Logger },
    people: PeopleSignIn | undefined,
  ) {
    this.#database = dependencies.database;
    this.#outbox = dependencies.outbox;
    this.#rpc = dependencies.rpc;
    this.#log = dependencies.log;
    this.#people = people;
  }

  /** Begins a session of a person; returns the value of its cookie. */
  async beginPerson(signedIn: SignedIn, from: SignInRequest): Promise<string> {
    const { cookie, digest } = newCookie();
    const { refreshToken, lifeS, subject } = signedIn;
    const issuer = this.#people?.issuer ?? null;
    await this.#begin({ keyDigest: null, subject, issuer }, from, {
      digest,
      email: signedIn.email,
      email_verified: signedIn.email_verified,
      refreshToken: refreshToken === undefined ? undefined : this.#encrypt(refreshToken, digest),
      // Without a refresh token the provider cannot be asked again: the session is as long as its token.
      vouchedS: lifeS,
    });
    return cookie;
  }

  /** Spends the state of a sign-in; false where a return has spent it before. */
  spend(state: string): Promise<boolean> {
    return spendSignIn(this.#database, digestOf(state));
  }

  /** Begins a session that acts as an API key; returns the value of its cookie. */
  async beginKey(keyDigest: string, from: SignInRequest): Promise<string> {
    const { cookie, digest } = newCookie();
    await this.#begin({ keyDigest, subject: null, issuer: null }, from, {
      digest,
      email: null,
      email_verified: false,
      refreshToken: undefined,
      vouchedS: undefined,
    });
    return cookie;
  }

  /**
   * Who acts behind a cookie. The provider is asked again when its word is an hour old at most.
   * @throws CodedError `invalid_token` when the session has ended, `service_unavailable` while that cannot be known
   */
  async find(cookie: string): Promise<SessionHolder> {
    const digest = digestOf(cookie);
    const found = await findSession(this.#database, digest);
    if (found === undefined) throw ended();
    if (found.key_digest !== null) return { kind: 'key', keyDigest: found.key_digest };
    // Another provider may mean another person by the same subject.
    if (found.issuer !== null && found.issuer !== this.#people?.issuer) throw ended();
    return this.#person(found.is_due ? await this.#vouch(found, digest) : found);
  }

  /**
   * Ends a session, where its person signs out with a line in the audit log; one that has ended already is no error.
   */
  async end(cookie: string, signingOut?: SignInRequest): Promise<void> {
    await this.#database.transaction(async (tx) => {
      const ended = await endSession(tx, digestOf(cookie));
      if (!ended || !signingOut) return;
      const { key_digest: keyDigest, subject, issuer } = ended;
      await this.#record(tx, { keyDigest, subject, issuer }, 'signed_out', signingOut);
    });
  }

  /**
   * Records that a key may not sign in, before it is answered: anybody can make keys that nobody knows, and a row of the
   * outbox for each would wait in front of those of sessions.
   */
  async refuseKey(keyDigest: string, from: SignInRequest): Promise<void> {
    const { requestId, client } = from;
    const context = newContext({ requestId, client, deadlineMs: recordSignIn.deadlineMs });
    await this.#rpc.call(
      recordSignIn,
      { ...toldOf('refused', from), who: { key_digest: keyDigest } },
      context,
    );
  }

  async #begin(holder: Holder, from: SignInRequest, session: Omit<NewSession, keyof Holder>): Promise<void> {
    await this.#database.transaction(async (tx) => {
      await insertSession(tx, { ...session, ...holder });
      await this.#record(tx, holder, 'signed_in', from);
    });
  }

  async #record(
    tx: Transaction,
    { keyDigest, subject, issuer: signedInWith }: Holder,
    outcome: Outcome,
    from: SignInRequest,
  ): Promise<void> {
    const told = toldOf(outcome, from);
    if (keyDigest !== null) {
      await this.#outbox.add(tx, recordSignIn, { ...told, who: { key_digest: keyDigest } });
    } else if (subject !== null && this.#people) {
      const { clientId: client_id } = this.#people;
      const issuer = signedInWith ?? this.#people.issuer;
      await this.#outbox.add(tx, recordSignIn, { ...told, who: { issuer, subject, client_id } });
    }
  }

  #person(found: FoundSession): SessionHolder {
    if (found.subject === null || this.#people === undefined) throw ended();
    return {
      kind: 'person',
      person: {
        issuer: this.#people.issuer,
        subject: found.subject,
        email: found.email,
        email_verified: found.email_verified,
        issued_at: found.created_at.toISOString(),
        expires_at: found.expires_at.toISOString(),
        client_id: this.#people.clientId,
      },
    };
  }

  #encrypt(token: string, digest: Buffer) {
    if (this.#people === undefined) throw ended();
    return encryptToken(token, boundTo(digest), this.#people.keys);
  }

  /** Waits for the answer of the provider to another request. A page asks for much at once after a long pause. */
  async #vouchedElsewhere(digest: Buffer): Promise<FoundSession> {
    for (let waited = 0; waited < renewalMs.most; waited += renewalMs.look) {
      const found = await findSession(this.#database, digest);
      if (found === undefined) throw ended();
      if (!found.is_due) return found;
      await pause(renewalMs.look);
    }
    throw unknown(undefined);
  }

  /** Asks the provider again, unless another request does; returns the session with the address that it knows now. */
  async #vouch(found: FoundSession, digest: Buffer): Promise<FoundSession> {
    const { subject, overdue_s } = found;
    if (this.#people === undefined || subject === null) throw ended();
    const claimed = await claimRenewal(this.#database, digest);
    if (claimed === undefined) return overdue_s > graceS ? this.#vouchedElsewhere(digest) : found;
    const { refresh_token: ciphertext, refresh_key_id: keyId } = claimed;
    if (ciphertext === null || keyId === null) {
      await endSession(this.#database, digest);
      throw ended();
    }
    try {
      const token = decryptToken({ ciphertext, keyId }, boundTo(digest), this.#people.keys);
      const renewed = await this.#people.provider.renew(token, subject);
      const next = this.#encrypt(renewed.refreshToken, digest);
      const address = renewed.address ?? { email: found.email, email_verified: found.email_verified };
      await renewSession(this.#database, digest, {
        refreshToken: next,
        vouchedS: renewed.lifeS,
        ...address,
      });
      return { ...found, ...address };
    } catch (error) {
      await this.#notVouched(error, overdue_s, digest);
      return found;
    }
  }

  async #notVouched(error: unknown, overdueS: number, digest: Buffer): Promise<void> {
    if (error instanceof SignInRefused) {
      await endSession(this.#database, digest);
      this.#log.info({ err: error }, 'console session ended by the identity provider');
      throw ended();
    }
    if (error instanceof UnreadableToken) {
      // Its key was taken out of STANZA_CONSOLE_KEYS: the provider cannot be asked about it any more.
      await endSession(this.#database, digest);
      this.#log.warn({ err: error }, 'console session ended: its refresh token cannot be opened');
      throw ended();
    }
    if (!(error instanceof ProviderAway)) throw error;
    this.#log.warn({ err: error }, 'console session not renewed');
    if (overdueS > graceS) throw unknown(error);
  }
}

const newCookie = (): { cookie: string; digest: Buffer } => {
  const cookie = randomBytes(32).toString('base64url');
  return { cookie, digest: digestOf(cookie) };
};
