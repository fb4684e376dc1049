import { describe, expect, it } from '@jest/globals';
import type { Block } from '@stanza/contracts';
import { newContext } from '@stanza/runtime';
import { runInProcess } from '@stanza/test-kit/database';
import { compileService } from '../testing/compile-service.ts';
import { greeting, somebody } from '../testing/neighbours.ts';
import { renderTemplate } from './render-template.ts';

describe('render-template', () => {
  const open = (blocks: Block[] = greeting) => {
    const service = compileService();
    const principal = somebody();
    const { id, versionId } = service.neighbours.activate(principal, blocks);
    const { organization_id, environment } = principal;
    const render = (input: object = {}) =>
      runInProcess(
        renderTemplate(service),
        { organization_id, environment, template_id: id, data: {}, ...input },
        newContext({ deadlineMs: 5_000 }),
      );
    return { ...service, versionId, render };
  };

  it('answers the message and its appearance, without a charge', async () => {
    const { render, versionId, neighbours } = open();
    expect(await render({ data: { name: 'Ada' } })).toEqual({
      template_name: 'Greeting',
      version_id: versionId,
      version_number: 1,
      user_name: 'Greeter',
      icon_emoji: ':wave:',
      blocks: [{ type: 'section', block_id: 'hello', text: { type: 'mrkdwn', text: 'Hello Ada' } }],
      text: expect.stringContaining('Hello Ada'),
      warnings: [],
      fields_truncated: 0,
    });
    expect(neighbours.charged.size).toBe(0);
  });

  it('lists whom the message mentions by e-mail, and mentions those whom it is given', async () => {
    const section = (text: string) => ({ type: 'section', id: 'a', text: { type: 'mrkdwn', text } });
    const { render } = open([section('{{e | mention}}')]);
    const data = { e: 'Ada@example.com' };
    const first = await render({ data });
    expect(first).toMatchObject({ mentions: ['ada@example.com'], warnings: [expect.anything()] });
    const second = await render({ data, people: { 'ada@example.com': 'U0ADA' } });
    expect(second).toMatchObject({ blocks: [{ text: { text: '<@U0ADA>' } }], warnings: [] });
    expect(second).not.toHaveProperty('mentions');
  });

  it('refuses like compile', async () => {
    const { render } = open();
    await expect(render({ strict: true })).rejects.toMatchObject({
      code: 'invalid_data',
      facts: { details: expect.stringMatching(/^\/blocks\/0\/text\/text: /) },
    });
  });

  it('finds the template only in its own tenant', async () => {
    const { render } = open();
    const { organization_id } = somebody();
    for (const other of [{ organization_id }, { environment: 'preview' }]) {
      await expect(render(other)).rejects.toMatchObject({ code: 'template_not_found' });
    }
  });
});
