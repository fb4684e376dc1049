import { describe, expect, it } from '@jest/globals';
import type { Block } from '@stanza/contracts';
import { newContext } from '@stanza/runtime';
import { runInProcess } from '@stanza/test-kit/database';
import { compileService } from '../testing/compile-service.ts';
import { greeting, somebody } from '../testing/neighbours.ts';
import { renderTemplate } from './render-template.ts';

describe('render-template', () => {
  const divider = { type: 'divider' };
  const digest = [
    { type: 'section', block_id: 'head', text: { type: 'mrkdwn', text: '{{event_count}} events' } },
    {
      type: 'directive',
      directive: '#each',
      path: 'events',
      as: 'e',
      children: [{ type: 'section', text: { type: 'mrkdwn', text: 'by {{e.user}}' } }],
    },
  ];

  const openWith = (blocks: Block[]) => {
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
  const open = (blocks: Block[] = greeting) => openWith(blocks);

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

  it('leaves out of a digest what its events do not fit, and names it without its data', async () => {
    const { neighbours, render } = openWith(digest);
    const events = [{ user: 'ada' }, { user: { name: 'bob' } }, { user: null }, 'x'];
    const request = { data: { events, event_count: 4 } };
    await expect(render(request)).rejects.toMatchObject({ code: 'invalid_data' });
    const { blocks, left_out } = await render({ ...request, digest: true });
    expect(blocks.map(({ text }) => text)).toMatchObject([
      { text: '4 events' },
      { text: 'by ada' },
      { text: 'by ' },
      { text: 'by ' },
    ]);
    expect(left_out).toEqual({
      count: 1,
      entries: [
        {
          pointer: '/blocks/1/children/0/text/text',
          path: 'events[1].user',
          message: expect.stringMatching(
            /^\/blocks\/1\/children\/0\/text\/text: the entry of `events\[1\]` is left out/,
          ),
        },
      ],
    });
    expect(JSON.stringify(left_out)).not.toContain('bob');
    expect(neighbours.charged.size).toBe(0);
  });

  it('leaves nothing out of a digest that is strict', async () => {
    const { render } = openWith(digest);
    const request = { data: { events: [{}], event_count: 1 }, digest: true, strict: true };
    await expect(render(request)).rejects.toMatchObject({ code: 'invalid_data' });
  });

  it('makes a digest of the first events where all of them are too much work, and says so', async () => {
    const inner = { type: 'directive', directive: '#each', path: 'events', children: [divider] };
    const { render } = openWith([
      { type: 'section', text: { type: 'mrkdwn', text: '{{event_count}} events' } },
      { type: 'directive', directive: '#each', path: 'events', children: [inner], max_items: 1_000 },
    ]);
    const data = { events: Array(400).fill({}), event_count: 400 };
    await expect(render({ data })).rejects.toMatchObject({ code: 'compilation_failed' });
    const { blocks, left_out, warnings } = await render({ data, digest: true });
    expect(blocks).toHaveLength(50);
    expect(blocks[0]).toMatchObject({ text: { text: '400 events' } });
    expect(left_out?.entries).toMatchObject([
      {
        pointer: '',
        path: 'events',
        message: expect.stringContaining('the last 278 of 400 events are left out'),
      },
      { pointer: '', path: null, message: expect.stringContaining('`message.blocks`') },
    ]);
    expect(warnings[0]).toContain('the last 278 of 400 events');
  });

  it('finds the template only in its own tenant', async () => {
    const { render } = open();
    const { organization_id } = somebody();
    for (const other of [{ organization_id }, { environment: 'preview' }]) {
      await expect(render(other)).rejects.toMatchObject({ code: 'template_not_found' });
    }
  });
});
