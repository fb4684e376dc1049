import { deletedAtOnce, inBatches, type Queryable, statement } from '@stanza/runtime';

const spend = statement<{ digest: Buffer }>(
  'sign-in-spend',
  `insert into spent_sign_ins (digest, spent_at)
   values ($1, clock_timestamp())
   on conflict do nothing
   returning digest`,
);

/** Spends a sign-in by the digest of its state; false when a return has spent it before. */
export const spendSignIn = async (db: Queryable, digest: Buffer): Promise<boolean> =>
  (await db.query(spend, [digest])).length > 0;

const sweep = statement(
  'spent-sign-ins-sweep',
  `delete from spent_sign_ins
   where digest in (
     select digest
     from spent_sign_ins
     where spent_at < clock_timestamp() - make_interval(secs => $1::float8)
     limit $2
   )
   returning true`,
);

/** Forgets sign-ins that are too old to be returned from. */
export const sweepSpentSignIns = (db: Queryable, olderThanS: number): Promise<number> =>
  inBatches(() => db.query(sweep, [olderThanS, deletedAtOnce]));
