import type { Rule } from './expand-only.ts';

/** A breach that is meant. */
export interface Exception {
  migration: string;
  rule: Rule;
  why: string;
}

/** Of migrations older than the first release: no version before them runs anywhere, and no table had rows yet. */
const beforeRelease = (migration: string, ...broken: Rule[]): Exception[] =>
  broken.map((rule) => ({ migration, rule, why: 'older than the first release' }));

/** Every breach that is meant; a new migration has none but for a reason of its own. */
export const exceptions: readonly Exception[] = [
  ...beforeRelease('ChargeAttempts1764200000012', 'takes', 'demands'),
  ...beforeRelease('Invitations1764200000031', 'locks'),
  ...beforeRelease('CreditOperations1764200000040', 'rewrites', 'touches', 'locks'),
  ...beforeRelease('MonthlyGrants1764200000041', 'locks'),
  ...beforeRelease('Erasure1764200000042', 'locks'),
  ...beforeRelease('Entities1795300000051', 'rewrites', 'locks'),
  ...beforeRelease('Search1795300000052', 'locks'),
  ...beforeRelease('KeyDigests1764200000011', 'locks'),
  ...beforeRelease('DeferredSends1764300040000', 'rewrites'),
  ...beforeRelease('ConnectionState1764300200001', 'rewrites', 'touches', 'locks'),
  ...beforeRelease('Turns1764300300001', 'locks', 'takes'),
  ...beforeRelease('Interactions1764300400001', 'locks'),
  ...['Keys1800080000001', 'Keys1800080000002', 'Keys1800080000003'].map(
    (migration): Exception => ({
      migration,
      rule: 'demands',
      why: 'the trigger demands nothing of a row: it gives it a key in a table of its own, and tries names until one is free',
    }),
  ),
  {
    migration: 'ContentBytes1800330000020',
    rule: 'demands',
    why: 'the trigger demands nothing of a row: it counts its bytes',
  },
  {
    migration: 'ScheduledDataBytes1800370000001',
    rule: 'demands',
    why: 'the trigger demands nothing of a row: it counts the bytes of its data',
  },
  {
    migration: 'MessageStates1800340000001',
    rule: 'demands',
    why: 'the triggers demand nothing of a row: they write its state beside it',
  },
  {
    migration: 'MessagesInPlace1800340000003',
    rule: 'concurrent',
    why: 'the indexes are dropped and not built; the version before finds by the states of messages what they led to',
  },
  {
    migration: 'FewerMessageIndexes1800350000002',
    rule: 'concurrent',
    why: 'the indexes are dropped and not built; until it is replaced, the version before walks the messages of a tenant for two filters of a list',
  },
  {
    migration: 'EventDeliveries1800150000001',
    rule: 'takes',
    why: 'the constraint that takes the place of the old one allows every row that the old one did',
  },
  {
    migration: 'Partitions1800030000001',
    rule: 'takes',
    why: 'the functions keep names, arguments and answers; the version before calls them as it did and waits for less',
  },
];
