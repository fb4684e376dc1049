import { describe, expect, it } from '@jest/globals';
import { type Principal, templateActivated } from '@stanza/contracts';
import { newContext } from '@stanza/runtime';
import { waitingEvents } from '@stanza/test-kit/service-world';
import { sharedByTests } from '@stanza/test-kit/shared';
import { ask, greeting, newTemplate, openWorld, somebody } from '../testing/world.ts';
import { activateTemplateVersion } from './activate-template-version.ts';
import { appendTemplateVersion } from './append-template-version.ts';

describe('the event of an activation', () => {
  const world = sharedByTests(openWorld);

  const told = ({ organization_id }: Principal) => waitingEvents(world(), organization_id);

  it('is told with it, once for an operation that runs twice, and with the previous version', async () => {
    const principal = somebody();
    const { id, version } = await newTemplate(world(), principal, { name: 'Deploys' });
    const { id: second } = await ask(
      appendTemplateVersion(world()),
      { params: { id }, body: { blocks: greeting } },
      principal,
    );
    const activate = (version_id: string, context = newContext({ deadlineMs: 5_000, principal })) =>
      ask(
        activateTemplateVersion(world()),
        { params: { id, version_id }, body: { note: 'go' } },
        principal,
        context,
      );
    const context = newContext({ deadlineMs: 5_000, principal });
    for (const _ of [1, 2]) await activate(version.id, context);
    await activate(second);
    // It is live already.
    await activate(second);
    // The call of the first has no answer yet, so the second takes it along.
    const [first] = await told(principal);
    expect((await told(principal))[1]).toMatchObject({ earlier: [{ event: first }] });
    expect(await told(principal)).toMatchObject([
      {
        type: templateActivated.type,
        subject: id,
        environment: principal.environment,
        data: { name: 'Deploys', version_number: 1, activation_number: 1, note: 'go' },
      },
      {
        data: {
          version_id: second,
          version_number: 2,
          previous_version_id: version.id,
          activation_number: 2,
        },
      },
    ]);
  });
});
