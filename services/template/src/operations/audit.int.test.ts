import { describe, expect, it } from '@jest/globals';
import type { Principal } from '@stanza/contracts';
import { newContext } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { ask, greeting, newTemplate, openWorld, recordedAudit, somebody } from '../testing/world.ts';
import { activateTemplateVersion } from './activate-template-version.ts';
import { appendTemplateVersion } from './append-template-version.ts';

describe('a change of a template', () => {
  const world = sharedByTests(openWorld);

  const recorded = (principal: Principal) => recordedAudit(world(), principal);

  it('is handed to the audit log in its transaction, once however often it is requested', async () => {
    const principal = somebody({ environment: 'preview' });
    const { id, version } = await newTemplate(world(), principal);
    const again = newContext({ deadlineMs: 5_000, principal });
    const append = { params: { id }, body: { blocks: greeting } };
    const second = await ask(appendTemplateVersion(world()), append, principal, again);
    await ask(appendTemplateVersion(world()), append, principal, again);
    const activate = { params: { id, version_id: second.id }, body: {} };
    await ask(activateTemplateVersion(world()), activate, principal);
    await ask(activateTemplateVersion(world()), activate, principal);
    const back = { params: { id, version_id: version.id }, body: {} };
    await ask(activateTemplateVersion(world()), back, principal);
    const entries = await recorded(principal);
    expect(entries.map((entry) => [entry.action, entry.changes])).toEqual([
      ['template.created', { name: 'Greeting', type: 'message', version_id: version.id }],
      ['template.version_added', { version_id: second.id, version_number: 2 }],
      [
        'template.activated',
        { version_id: { from: null, to: second.id }, version_number: { from: null, to: 2 } },
      ],
      [
        'template.activated',
        { version_id: { from: second.id, to: version.id }, version_number: { from: 2, to: 1 } },
      ],
    ]);
    for (const entry of entries) {
      expect(entry).toMatchObject({
        environment: 'preview',
        actor: principal.actor,
        subject: { kind: 'template', id },
      });
    }
  });

  it('that is refused leaves no entry', async () => {
    const principal = somebody();
    const { id } = await newTemplate(world(), principal);
    const broken = { params: { id }, body: { blocks: [{ type: 'sektion' }] } };
    await expect(ask(appendTemplateVersion(world()), broken, principal)).rejects.toMatchObject({
      code: 'compilation_failed',
    });
    expect((await recorded(principal)).map((entry) => entry.action)).toEqual(['template.created']);
  });
});
