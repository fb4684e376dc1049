import { describe, expect, it } from '@jest/globals';
import { compileTemplate, sendBulk, sendTemplate } from '@stanza/contracts';
import { channelsOf } from '../kit/channels.ts';
import { sharedByTests } from '../kit/shared.ts';
import { openWorldWith } from '../kit/stack.ts';
import { liveTemplate } from '../kit/templates.ts';

const channels = channelsOf('mentions');

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
const blocks = [
  { type: 'header', text: { type: 'plain_text', text: 'For {{owner | mention}}' } },
  section('{{owner | mention}} and {{deputy | mention}}, once more {{owner | mention}}'),
  {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_section',
        elements: [
          { type: 'user', user_id: '{{owner | mention}}' },
          { type: 'user', user_id: '{{deputy | mention}}' },
        ],
      },
    ],
  },
];
const data = { owner: 'Ada@example.com', deputy: 'nobody@example.com' };

describe('mentioning people by e-mail', () => {
  const own = sharedByTests(() => openWorldWith({ credits: 100 }));
  const postedIn = async (channel: string) => {
    const [posted] = await own().world.sandbox.messages(channel);
    return posted?.blocks;
  };
  const warningOf = (path: string) =>
    expect.stringContaining(`the workspace has no person with the e-mail address of \`${path}\``);

  it('mentions in a sent message the person who is found, and prints the address of the other', async () => {
    const { id } = await liveTemplate(own().api, blocks);
    const channel_id = channels.next();
    const sent = await own().api.ok(sendTemplate, { body: { template_id: id, data, channel_id } });
    expect(await postedIn(channel_id)).toMatchObject([
      { text: { text: 'For Ada@example.com' } },
      { text: { text: '<@U0ADA> and nobody@example.com, once more <@U0ADA>' } },
      {
        elements: [
          {
            elements: [
              { type: 'user', user_id: 'U0ADA' },
              { type: 'text', text: 'nobody@example.com' },
            ],
          },
        ],
      },
    ]);
    expect(sent.warnings).toEqual([warningOf('deputy'), warningOf('deputy')]);
    expect(JSON.stringify(sent)).not.toContain('nobody@');
  });

  it('prints addresses where a template is compiled alone, and says so', async () => {
    const { id } = await liveTemplate(own().api, [section('{{owner | mention}} {{deputy | mention}}')]);
    const compiled = await own().api.ok(compileTemplate, { body: { template_id: id, data } });
    expect(compiled.blocks).toMatchObject([{ text: { text: 'Ada@example.com nobody@example.com' } }]);
    expect(compiled.warnings).toEqual([
      '/blocks/0/text/text: `owner` is an e-mail address; people are looked up on sends alone, so the address stands there.',
    ]);
    expect(Object.keys(compiled)).not.toContain('mentions');
  });

  it('mentions the same people to every destination of a bulk send', async () => {
    const { id } = await liveTemplate(own().api, [section('{{owners | mention}}')]);
    const destinations = Array.from({ length: 5 }, () => ({ channel_id: channels.next() }));
    const owners = ['ada@example.com', 'grace@example.com'];
    await own().api.ok(sendBulk, { body: { template_id: id, data: { owners }, destinations } });
    for (const { channel_id } of destinations) {
      expect(await postedIn(channel_id)).toMatchObject([{ text: { text: '<@U0ADA>, <@U0GRACE>' } }]);
    }
  });

  it('looks up fifty people of a message, prints the addresses of the others, and names the limit', async () => {
    const { id } = await liveTemplate(own().api, [section('{{owners | mention}}')]);
    const owners = Array.from({ length: 60 }, (_, index) => `user${1300 + index}@example.com`);
    const channel_id = channels.next();
    const { warnings } = await own().api.ok(sendTemplate, {
      body: { template_id: id, data: { owners }, channel_id },
    });
    const ids = Array.from({ length: 50 }, (_, index) => `<@U${1300 + index}>`);
    expect(await postedIn(channel_id)).toMatchObject([
      { text: { text: [...ids, ...owners.slice(50)].join(', ') } },
    ]);
    expect(warnings).toEqual([expect.stringContaining('a message looks up 50 people by e-mail at most')]);
  });

  it('writes to each person of a bulk send in the language of their account', async () => {
    const translations = {
      en: { items: { plural: 'n', one: 'one item', other: '{{n}} items' } },
      de: { items: { plural: 'n', one: 'ein Artikel', other: '{{n}} Artikel' } },
      ar: { items: { plural: 'n', one: 'عنصر', other: '{{n}} عنصر' } },
    };
    const name = 'in languages';
    const texts = { type: 'directive', directive: '#translations', translations };
    const { id } = await liveTemplate(own().api, [section('{{name}}: {{@t.items}}'), texts]);
    const destinations = [
      { recipient_chat_id: 'U0LINUS' },
      { recipient_email: 'hypatia@example.com' },
      { channel_id: channels.next() },
    ];
    const body = { template_id: id, data: { name, n: 1_234 }, locale: 'recipient', destinations };
    const { results, warnings } = await own().api.ok(sendBulk, { body });
    expect(warnings).toEqual([]);
    const said = await Promise.all(
      results.map(async ({ channel = '' }) => {
        const posted = await own().world.sandbox.messages(channel);
        return posted.flatMap(({ text }) => (text?.startsWith(name) ? [text] : []));
      }),
    );
    expect(said).toEqual([[`${name}: 1234 Artikel`], [`${name}: 1234 عنصر`], [`${name}: 1234 items`]]);
  });
});
