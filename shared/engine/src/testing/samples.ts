import type { Options } from './compile.ts';
import { directive, header, section } from './compile.ts';

/** A template as people write them, with data and what must come out. */
interface Sample {
  readonly name: string;
  readonly template: readonly unknown[];
  readonly data: Record<string, unknown>;
  readonly options?: Options;
  readonly expected: {
    readonly blocks: readonly unknown[];
    readonly text: string;
    readonly warnings: readonly string[];
  };
}

const plain = (text: string) => ({ type: 'plain_text', text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const context = (text: string) => ({ type: 'context', elements: [mrkdwn(text)] });

const deploy: Sample = {
  name: 'a deploy alert with the last changes',
  template: [
    header('Deploy of {{service}}'),
    section('*{{version}}* is live in {{environment | upper}}, by {{author.chat_id | mention}}.', {
      id: 'summary',
      accessory: { type: 'button', text: plain('Open'), url: '{{url}}', action_id: 'open' },
    }),
    directive('#each', {
      path: 'changes',
      as: 'change',
      max_items: 2,
      overflow_text: '…and {{remaining}} {{remaining | plural:"change","changes"}} more',
      children: [section('{{@number}}. {{change.title}} ({{change.id}})', { id: 'change' })],
      empty: [context('No changes.')],
    }),
    { type: 'divider' },
    context('{{checks | number:0}} checks, {{coverage | percent:1}} covered'),
  ],
  data: {
    service: 'checkout',
    version: '1.4.2',
    environment: 'production',
    author: { chat_id: 'U0ADA' },
    url: 'https://ci.example.com/runs/1?tab=log&step=2',
    changes: [
      { id: 'PR-1', title: 'Round refunds & fees' },
      { id: 'PR-2', title: 'Drop <old> endpoint' },
      { id: 'PR-3', title: 'Typo' },
    ],
    checks: 1284,
    coverage: 0.8765,
  },
  expected: {
    blocks: [
      header('Deploy of checkout'),
      {
        type: 'section',
        text: mrkdwn('*1.4.2* is live in PRODUCTION, by <@U0ADA>.'),
        block_id: 'summary',
        accessory: {
          type: 'button',
          text: plain('Open'),
          url: 'https://ci.example.com/runs/1?tab=log&step=2',
          action_id: 'open',
        },
      },
      section('1. Round refunds &amp; fees (PR-1)', { block_id: 'change_0' }),
      section('2. Drop &lt;old&gt; endpoint (PR-2)', { block_id: 'change_1' }),
      context('…and 1 change more'),
      { type: 'divider' },
      context('1,284 checks, 87.7% covered'),
    ],
    text: [
      'Deploy of checkout',
      '*1.4.2* is live in PRODUCTION, by <@U0ADA>.',
      '1. Round refunds &amp; fees (PR-1)',
      '2. Drop &lt;old&gt; endpoint (PR-2)',
      '…and 1 change more',
      '1,284 checks, 87.7% covered',
    ].join('\n'),
    warnings: [],
  },
};

const receipt: Sample = {
  name: 'a receipt in the reader’s language',
  template: [
    header('Bestellung {{order.id}}'),
    {
      type: 'section',
      fields: [
        mrkdwn('*Datum*\n{{order.placed_at | date:"long"}}'),
        mrkdwn('*Summe*\n{{order.total | currency:"EUR"}}'),
        directive('#if', {
          condition: { path: 'order.discount', operator: 'gt', value: 0 },
          children: [mrkdwn('*Rabatt*\n{{order.discount | percent}}')],
        }),
      ],
    },
    {
      type: 'rich_text',
      elements: [
        {
          type: 'rich_text_list',
          style: 'bullet',
          elements: [
            directive('#each', {
              path: 'order.lines',
              as: 'line',
              children: [
                {
                  type: 'rich_text_section',
                  elements: [
                    { type: 'text', text: '{{line.quantity}} × {{line.name}}', style: { bold: true } },
                    { type: 'text', text: ' {{line.price | currency:"EUR"}}' },
                  ],
                },
              ],
            }),
          ],
        },
      ],
    },
    section('{{order.note}}'),
  ],
  data: {
    order: {
      id: 'A-4711',
      placed_at: '2026-11-20T23:30:00Z',
      total: 1249.5,
      discount: 0.1,
      lines: [
        { quantity: 2, name: 'Lampe <klein>', price: 99.95 },
        { quantity: 1, name: 'Regal', price: 1049.6 },
      ],
      note: '',
    },
  },
  options: { locale: 'de-DE', timezone: 'Europe/Berlin' },
  expected: {
    blocks: [
      header('Bestellung A-4711'),
      {
        type: 'section',
        fields: [
          mrkdwn('*Datum*\n21. November 2026'),
          mrkdwn('*Summe*\n1.249,50\u00a0€'),
          mrkdwn('*Rabatt*\n10\u00a0%'),
        ],
      },
      {
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_list',
            style: 'bullet',
            elements: [
              {
                type: 'rich_text_section',
                elements: [
                  { type: 'text', text: '2 × Lampe <klein>', style: { bold: true } },
                  { type: 'text', text: ' 99,95\u00a0€' },
                ],
              },
              {
                type: 'rich_text_section',
                elements: [
                  { type: 'text', text: '1 × Regal', style: { bold: true } },
                  { type: 'text', text: ' 1.049,60\u00a0€' },
                ],
              },
            ],
          },
        ],
      },
    ],
    text: [
      'Bestellung A-4711',
      '*Datum*\n21. November 2026\n*Summe*\n1.249,50\u00a0€\n*Rabatt*\n10\u00a0%',
      '• 2 × Lampe &lt;klein&gt; 99,95\u00a0€\n• 1 × Regal 1.049,60\u00a0€',
    ].join('\n'),
    warnings: ['/3: the section block is left out: it needs `text` or `fields`.'],
  },
};

const incident: Sample = {
  name: 'an incident with something to choose',
  template: [
    section(
      ':rotating_light: *{{severity | default:"unknown"}}* <{{url}}|{{title | truncate:20}}> opened {{opened_at | time_ago}}',
    ),
    directive('#if', {
      condition: {
        any: [
          { path: 'severity', operator: 'in', value: ['high', 'critical'] },
          { path: 'customers', operator: 'gte', value: 100 },
        ],
      },
      children: [
        {
          type: 'actions',
          id: 'act',
          elements: [
            {
              type: 'button',
              action_id: 'ack',
              style: 'danger',
              value: '{{id}}',
              text: plain('Take it'),
              confirm: { text: plain('Page {{on_call | count}} people?'), confirm: plain('Yes') },
            },
            {
              type: 'multi_users_select',
              action_id: 'who',
              placeholder: plain('Who helps?'),
              initial_users: '{{on_call}}',
            },
            {
              type: 'static_select',
              action_id: 'assign',
              options: [
                directive('#each', {
                  path: 'teams',
                  as: 'team',
                  children: [{ text: plain('{{team.name | capitalize}}'), value: 'team-{{team.id}}' }],
                }),
              ],
            },
          ],
        },
      ],
      else: [context('Nobody is paged.')],
    }),
  ],
  data: {
    id: 'INC-9',
    url: 'https://status.example.com/9',
    title: 'Checkout answers slowly & drops carts',
    opened_at: '2026-11-21T08:05:00Z',
    customers: 250,
    on_call: ['U0ADA', 'U0GRACE'],
    teams: [
      { id: 1, name: 'payments' },
      { id: 2, name: 'platform' },
    ],
  },
  expected: {
    blocks: [
      section(
        ':rotating_light: *unknown* <https://status.example.com/9|Checkout answers sl…> opened 25 minutes ago',
      ),
      {
        type: 'actions',
        block_id: 'act',
        elements: [
          {
            type: 'button',
            action_id: 'ack',
            style: 'danger',
            value: 'INC-9',
            text: plain('Take it'),
            confirm: { text: plain('Page 2 people?'), confirm: plain('Yes') },
          },
          {
            type: 'multi_users_select',
            action_id: 'who',
            placeholder: plain('Who helps?'),
            initial_users: ['U0ADA', 'U0GRACE'],
          },
          {
            type: 'static_select',
            action_id: 'assign',
            options: [
              { text: plain('Payments'), value: 'team-1' },
              { text: plain('Platform'), value: 'team-2' },
            ],
          },
        ],
      },
    ],
    text: ':rotating_light: *unknown* <https://status.example.com/9|Checkout answers sl…> opened 25 minutes ago',
    warnings: [],
  },
};

/** Messages from real life. */
export const samples: readonly Sample[] = [deploy, receipt, incident];
