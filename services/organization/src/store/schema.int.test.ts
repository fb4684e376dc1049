import { describe, expect, it } from '@jest/globals';
import { planOf } from '@stanza/test-kit/service-world';
import { sharedByTests } from '@stanza/test-kit/shared';
import { found, openWorld } from '../testing/world.ts';

describe('the schema', () => {
  const world = sharedByTests(openWorld);

  describe('is read through an index', () => {
    const uuid = "'01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f'::uuid";

    it.each([
      [
        'api_keys_hash',
        `select * from api_keys
         join memberships using (organization_id, user_id)
         join organizations on organizations.id = api_keys.organization_id
         where hash = any (array['\\x00'::bytea])`,
      ],
      ['credit_accounts_pk', `select * from credit_accounts where organization_id = ${uuid} for update`],
      [
        'credit_log_once',
        `select * from credit_log where organization_id = ${uuid} and operation_id = any (array[${uuid}]) and item = 0`,
      ],
      [
        'provisional_charges_pk',
        `select * from provisional_charges where operation_id = any (array[${uuid}])`,
      ],
      [
        'provisional_charges_charged_at',
        'select * from provisional_charges where charged_at <= now() order by charged_at limit 500',
      ],
      [
        'reservations_once',
        `select * from reservations where organization_id = ${uuid} and environment = 'preview' and operation_id = ${uuid}`,
      ],
      [
        'reservations_report_due_at',
        'select * from reservations where closed_at is null and report_due_at <= now() order by report_due_at limit 100',
      ],
      [
        'reservations_report_turns',
        `select * from reservations where closed_at is null and organization_id = ${uuid} and report_due_at <= now() order by report_due_at limit 100`,
      ],
      [
        'credit_accounts_next_grant_at',
        'select * from credit_accounts where next_grant_at <= now() order by next_grant_at limit 100',
      ],
      [
        'audit_log_newest',
        `select * from audit_log where organization_id = ${uuid} and at < now() order by at desc, id desc limit 20`,
      ],
      [
        'audit_log_followed',
        `select * from audit_log where organization_id = ${uuid} and (coalesce(followed_at, recorded_at), id) > (now(), ${uuid}) order by coalesce(followed_at, recorded_at), id limit 20`,
      ],
      [
        'audit_log_streamed',
        `select * from audit_log where (coalesce(followed_at, recorded_at), id) > (now(), ${uuid}) order by coalesce(followed_at, recorded_at), id limit 20`,
      ],
      [
        'deactivated_members_pk',
        `select * from deactivated_members where organization_id = ${uuid} and user_id = ${uuid}`,
      ],
      [
        'audit_log_subject',
        `select * from audit_log where organization_id = ${uuid} and subject_id = 'x' and at < now() order by at desc, id desc limit 20`,
      ],
      [
        'invitations_pending',
        `select * from invitations where organization_id = ${uuid} and email = 'x' and status = 'pending'`,
      ],
      [
        'invitations_newest',
        `select * from invitations where organization_id = ${uuid} order by created_at desc, id desc limit 20`,
      ],
      [
        'credit_log_preview',
        `select count(*) from credit_log
         where organization_id = ${uuid} and created_at >= now() and created_at < now() and amount <> 0
           and environment = 'preview'`,
      ],
      [
        'api_keys_children',
        `select id from api_keys where organization_id = ${uuid} and parent_id = ${uuid}`,
      ],
      ['api_keys_of_user', `select * from api_keys where organization_id = ${uuid} and user_id = ${uuid}`],
      ['memberships_pk', `select * from memberships where organization_id = ${uuid} and user_id = ${uuid}`],
    ])('%s', async (index, sql) => {
      await found(world());
      const plan = await planOf(world().database, sql);
      expect(plan).toContain(index);
      expect(plan).not.toContain('Seq Scan');
    });
  });
});
