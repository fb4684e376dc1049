import { describe, expect, it } from '@jest/globals';
import { apiKeyDigest, type recordSignIn as declared, type InputOf } from '@stanza/contracts';
import { newId } from '@stanza/runtime';
import { runJob } from '@stanza/test-kit/service-world';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import { auditOf, found, openWorld, runInternal } from '../testing/world.ts';
import { addMember } from './add-member.ts';
import { bindIdentity } from './bind-identity.ts';
import { createKey } from './create-key.ts';
import { recordSignIn } from './record-sign-in.ts';
import { revokeKey } from './revoke-key.ts';

describe('a session of the console in the audit log', () => {
  const world = sharedByTests(openWorld);

  type Input = InputOf<typeof declared>;
  const client = { address: '192.0.2.1', user_agent: 'Firefox' };
  const tell = (who: Input['who'], outcome: Input['outcome'], at = world().clock.now()) => ({
    ...{ who, outcome, request_id: newId(), client },
    at: at.toISOString(),
  });
  const run = (input: Input, rowId = newId()) => runJob(recordSignIn(world()), input, rowId);
  const linesOf = async (id: string) =>
    (await auditOf(world(), id)).filter(({ action }) => action.startsWith('console_session.'));

  it('stands in every organization of the person, once, with the application and the address', async () => {
    const email = `ada-${uuidv7()}@example.com`;
    const organizations = [(await found(world())).id, (await found(world())).id];
    const joined: string[] = [];
    for (const organization_id of organizations) {
      const member = { organization_id, email, role: 'viewer' };
      joined.push((await runInternal(addMember(world()), member)).user_id);
    }
    const person = { issuer: 'https://identity.example.com', subject: uuidv7() };
    await runInternal(bindIdentity(world()), { email, ...person });
    const input = tell({ ...person, client_id: 'console' }, 'signed_in');
    const rowId = newId();
    await run(input, rowId);
    await run(input, rowId);
    await run(tell(person, 'signed_out'));
    for (const id of organizations) {
      expect(await linesOf(id)).toMatchObject([
        {
          action: 'console_session.signed_in',
          actor_type: 'session',
          actor_id: person.subject,
          actor_user_id: joined[0],
          actor_client_id: 'console',
          client_address: '192.0.2.1',
        },
        { action: 'console_session.signed_out' },
      ]);
    }
  });

  it('is that of a key, and tells once a minute that a revoked one is refused', async () => {
    const { id } = await found(world());
    const { key, key_id } = await runInternal(createKey(world()), { organization_id: id, name: 'a key' });
    const who = { key_digest: apiKeyDigest(key) };
    await run(tell(who, 'signed_in'));
    await runInternal(revokeKey(world()), { organization_id: id, key_id });
    await run(tell(who, 'refused'));
    await run(tell(who, 'refused'));
    expect((await linesOf(id)).map(({ action, subject_id }) => [action, subject_id])).toEqual([
      ['console_session.signed_in', key_id],
      ['console_session.refused', key_id],
    ]);
  });

  it('is nobody’s where neither the key nor the person is known', async () => {
    await run(tell({ key_digest: 'f'.repeat(64) }, 'refused'));
    await run(tell({ issuer: 'https://identity.example.com', subject: uuidv7() }, 'signed_in'));
  });
});
