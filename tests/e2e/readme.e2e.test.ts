import { dirname } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { runPage } from '../docs/run-page.ts';
import { answersIn } from '../kit/readme.ts';
import { sharedByTests } from '../kit/shared.ts';
import { openWorld } from '../kit/stack.ts';

const stackDirectory = dirname(process.env.STANZA_TEST_STACK ?? '');

describe('the README', () => {
  const world = sharedByTests(openWorld);

  it('works as it is printed: a template is created and activated, and a message is sent', async () => {
    const { key } = await (await world().newOrganization()).key();
    const values = { KEY: key, API: world().api.base };
    const { output } = await runPage('README.md', { values, stackDirectory });
    const [created, activated, sent, ...states] = answersIn(output);
    expect(created).toMatchObject({
      name: 'Deploy alert',
      current_version_id: null,
      version: { version_number: 1 },
    });
    expect(activated).toMatchObject({ version_number: 1, is_current: true });
    expect(sent).toMatchObject({ success: true, channel: 'C0DEPLOYS' });
    const { message_id } = Object(sent);
    const posted = await world().sandbox.messages('C0DEPLOYS');
    expect(posted.filter((message) => message.key === message_id)).toHaveLength(1);
    expect(states.slice(0, 3)).toMatchObject([1, 2, 3].map((revision) => ({ revision, changed: true })));
    const { message_id: living } = Object(states[0]);
    expect(posted.filter((message) => message.key === living)).toMatchObject([{ edits: 2 }]);
  });
});
