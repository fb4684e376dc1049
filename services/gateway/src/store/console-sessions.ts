import { deletedAtOnce, findRow, inBatches, type Queryable, statement } from '@stanza/runtime';
import type { ConsoleSessionRow } from './tables.ts';

/** Hours after which a session ends that is not used, and after which every session ends. */
export const sessionHours = { idle: 12, absolute: 7 * 24 } as const;

/** Seconds that a gateway has for asking the provider about a session. */
const renewS = 15;

/** A new session. */
export interface NewSession
  extends Pick<ConsoleSessionRow, 'digest' | 'issuer' | 'email' | 'email_verified'> {
  keyDigest: string | null;
  subject: string | null;
  refreshToken: { ciphertext: Buffer; keyId: string } | undefined;
  /** Seconds for which the provider vouches; undefined where it is not asked again. */
  vouchedS: number | undefined;
}

/** Sessions that a person, or a key, can have at one time; the oldest end for new ones. */
const maxOfOne = 50;

const insert = statement(
  'console-session-insert',
  `with surplus as (
     delete from console_sessions
     where digest in (
       select digest
       from console_sessions
       where key_digest = $2
          or (subject = $3 and issuer is not distinct from $11)
       order by created_at desc
       offset $10
     )
   )
   insert into console_sessions (
     digest, key_digest, subject, email, email_verified, refresh_token, refresh_key_id,
     issuer, created_at, seen_at, expires_at, vouched_until
   )
   values (
     $1, $2, $3, $4, $5, $6, $7,
     $11,
     clock_timestamp(),
     clock_timestamp(),
     clock_timestamp() + make_interval(hours => $9::int),
     clock_timestamp() + coalesce(make_interval(secs => $8::float8), make_interval(hours => $9::int))
   )`,
);

/** Begins a session. */
export const insertSession = async (db: Queryable, session: NewSession): Promise<void> => {
  await db.query(insert, [
    session.digest,
    session.keyDigest,
    session.subject,
    session.email,
    session.email_verified,
    session.refreshToken?.ciphertext ?? null,
    session.refreshToken?.keyId ?? null,
    session.vouchedS ?? null,
    sessionHours.absolute,
    maxOfOne - 1,
    session.issuer,
  ]);
};

/** A session that has not ended. */
export interface FoundSession
  extends Pick<
    ConsoleSessionRow,
    'key_digest' | 'subject' | 'issuer' | 'email' | 'email_verified' | 'created_at' | 'expires_at'
  > {
  /** The provider is to be asked again. */
  is_due: boolean;
  /** Seconds since the provider vouched last for the present moment; negative while it does. */
  overdue_s: number;
}

// Each use is noted at most every five minutes, so that reading a session writes nothing as a rule.
const find = statement<FoundSession>(
  'console-session-find',
  `with found as (
     select digest, key_digest, subject, issuer, email, email_verified, created_at, expires_at, seen_at,
            vouched_until < clock_timestamp() as is_due,
            extract(epoch from clock_timestamp() - vouched_until)::float8 as overdue_s
     from console_sessions
     where digest = $1
       and expires_at > clock_timestamp()
       and seen_at > clock_timestamp() - make_interval(hours => $2::int)
   ), noted as (
     update console_sessions as session
     set seen_at = clock_timestamp()
     from found
     where session.digest = found.digest
       and found.seen_at < clock_timestamp() - interval '5 minutes'
   )
   select key_digest, subject, issuer, email, email_verified, created_at, expires_at, is_due, overdue_s
   from found`,
);

/** The session of a cookie; undefined when it has ended. */
export const findSession = (db: Queryable, digest: Buffer): Promise<FoundSession | undefined> =>
  findRow(db, find, [digest, sessionHours.idle]);

const claim = statement<Pick<ConsoleSessionRow, 'refresh_token' | 'refresh_key_id'>>(
  'console-session-claim',
  `update console_sessions
   set renewing_until = clock_timestamp() + make_interval(secs => $2::float8)
   where digest = $1
     and vouched_until < clock_timestamp()
     and (renewing_until is null or renewing_until < clock_timestamp())
   returning refresh_token, refresh_key_id`,
);

/** Takes it upon this gateway to ask the provider about a session; undefined when another one does. */
export const claimRenewal = async (db: Queryable, digest: Buffer) => {
  const [row] = await db.query(claim, [digest, renewS]);
  return row;
};

const renew = statement(
  'console-session-renew',
  `update console_sessions
   set refresh_token = $2,
       refresh_key_id = $3,
       vouched_until = clock_timestamp() + make_interval(secs => $4::float8),
       renewing_until = null,
       email = $5,
       email_verified = $6
   where digest = $1`,
);

/** What the provider says of a person when it is asked again. */
export interface Renewal extends Pick<ConsoleSessionRow, 'email' | 'email_verified'> {
  refreshToken: { ciphertext: Buffer; keyId: string };
  /** Seconds for which it vouches. */
  vouchedS: number;
}

/** Notes that the provider vouches for a session again, with the address that it knows now. */
export const renewSession = async (db: Queryable, digest: Buffer, renewal: Renewal): Promise<void> => {
  const { refreshToken, vouchedS, email, email_verified } = renewal;
  const { ciphertext, keyId } = refreshToken;
  await db.query(renew, [digest, ciphertext, keyId, vouchedS, email, email_verified]);
};

/** Whose a session was. */
export type EndedSession = Pick<ConsoleSessionRow, 'key_digest' | 'subject' | 'issuer'>;

const remove = statement<EndedSession>(
  'console-session-end',
  `delete from console_sessions
   where digest = $1
   returning key_digest, subject, issuer`,
);

/** Ends a session everywhere; returns whose it was, undefined where it had ended. */
export const endSession = async (db: Queryable, digest: Buffer): Promise<EndedSession | undefined> => {
  const [ended] = await db.query(remove, [digest]);
  return ended;
};

const sweep = statement(
  'console-sessions-sweep',
  `delete from console_sessions
   where digest in (
     select digest
     from console_sessions
     where expires_at < clock_timestamp()
        or seen_at < clock_timestamp() - make_interval(hours => $1::int)
     limit $2
   )
   returning true`,
);

/** Deletes sessions that have ended; returns how many. */
export const sweepSessions = (db: Queryable): Promise<number> =>
  inBatches(() => db.query(sweep, [sessionHours.idle, deletedAtOnce]));
