import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testStack } from '@stanza/stack/testing';
import { runPage } from '../docs/run-page.ts';
import { answersIn } from '../support/readme.ts';
import { openWorld, type World } from '../support/stack.ts';

const stackDirectory = dirname(process.env.STANZA_TEST_STACK ?? '');

describe('the README', () => {
  let world: World;

  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  it('works as it is printed: a first message created, activated, compiled and sent, and a session', async () => {
    const { key } = await (await world.newOrganization()).key();
    const { identity_url: IDENTITY, organizations } = testStack();
    const ORGANIZATION = organizations[0]?.id ?? '';
    const values = { KEY: key, API: world.api.base, IDENTITY, ORGANIZATION };
    const { output } = await runPage('README.md', { values, stackDirectory });
    const [created, activated, compiled, sent, bulk, session] = answersIn(output);
    expect(created).toMatchObject({
      name: 'Deploy alert',
      current_version_id: null,
      version: { version_number: 1 },
    });
    expect(activated).toMatchObject({ version_number: 1, is_current: true });
    expect(compiled).toMatchObject({ success: true, warnings: [], blocks: [{ type: 'header' }, {}, {}, {}] });
    expect(sent).toMatchObject({ success: true, channel: 'C0DEPLOYS' });
    expect(bulk).toMatchObject({ success: true, total_sent: 2 });
    expect(session).toMatchObject({
      valid: true,
      user: { first_name: 'Olivia', role: 'owner' },
      token: { type: 'session' },
    });
    const { message_id } = Object(sent);
    const posted = await world.sandbox.messages('C0DEPLOYS');
    expect(posted.filter((message) => message.key === message_id)).toHaveLength(1);
  });
});
