import { describe, expect, it } from '@jest/globals';
import { newId, Tenant } from '@stanza/runtime';
import { countedDuring, rowsReadBy } from '@stanza/test-kit/service-world';
import { sharedByTests } from '@stanza/test-kit/shared';
import { connected, openWorld, send } from '../../testing/world.ts';
import type { MessageRow } from '../message-tables.ts';
import { beginPostings, type Ending, endAndSettleMessages, endMessages } from './postings.ts';

/** Enough that reading all of them shows. */
const messagesBefore = 3_000;
/** Those that one statement is about. */
const together = 16;
const sent: Ending = { status: 'sent', channel: 'C0GENERAL', messageTs: '1.000001' };
const ended = { fence: 0, ending: sent, attempts: [] };
const uncounted = (): void => undefined;

type Asked = Pick<MessageRow, 'id' | 'operation_id'> & { tenant: Tenant };

const changesOfMessages = `select n_tup_upd as changed, n_tup_hot_upd as in_place
  from pg_stat_xact_user_tables
  where relname = 'messages'`;

describe('the statements about messages in flight', () => {
  const world = sharedByTests(openWorld);

  /** Makes many open messages of one organization, and answers a few of them. */
  const openMessages = async (status: 'accepted' | 'posting'): Promise<Asked[]> => {
    const principal = await connected(world());
    await send(world(), principal);
    const made = await world().rows<Pick<MessageRow, 'id' | 'operation_id'>>(
      `insert into messages
       select (jsonb_populate_record(message, jsonb_build_object('id', gen_random_uuid(),
         'operation_id', gen_random_uuid(), 'credit_log_id', gen_random_uuid(), 'status', $2::text, 'charged', null,
         'posting_fence', 0, 'deadline_at', now() + interval '1 hour'))).*
       from messages as message, generate_series(1, $3::integer)
       where organization_id = $1
       returning id, operation_id`,
      [principal.organization_id, status, messagesBefore],
    );
    const tenant = Tenant.of(principal);
    return made.slice(0, together).map((row) => ({ ...row, tenant }));
  };

  const statements = [
    [
      'the end of requests',
      'posting',
      (tx, [first, ...others]) =>
        endAndSettleMessages(
          tx,
          first.tenant.organizationId,
          [first, ...others].map((it) => ({ ...it, ...ended, operationId: it.operation_id, settled: {} })),
          { id: newId(), subject: 'work', traceparent: null },
          uncounted,
        ),
    ],
    [
      'the end of deferred messages',
      'posting',
      (tx, messages) => {
        const endings = messages.map((it) => ({ ...it, ...ended }));
        return endMessages(tx, endings, uncounted);
      },
    ],
    [
      'the beginning of posts',
      'accepted',
      (tx, messages) => {
        const postings = messages.map((it) => ({ ...it, fence: 0, channel: 'C0GENERAL' }));
        return beginPostings(tx, postings, 1_000);
      },
    ],
  ] satisfies readonly (readonly [
    string,
    'accepted' | 'posting',
    (
      tx: Parameters<typeof endMessages>[0],
      messages: readonly [Asked, ...Asked[]],
    ) => Promise<{ size: number }>,
  ])[];

  it.each(statements)(
    'read their own rows alone, whatever else is open, and change them in place: %s',
    async (_, status, run) => {
      const [first, ...others] = await openMessages(status);
      if (!first) throw new Error('no message was made');
      const read = await rowsReadBy(world().realDatabase, ['messages', 'message_states'], async (tx) => {
        const changes = await countedDuring(tx, changesOfMessages, [], async () => {
          expect((await run(tx, [first, ...others])).size).toBe(together);
        });
        expect(changes).toEqual({ changed: together, in_place: together });
      });
      // Each is read once, and once more where it is changed, and its state once.
      expect(read).toBeLessThanOrEqual(3 * together);
    },
  );
});
