/** The message that every engine makes: a header, a section, a context on a condition, a section an item, a divider. */
export const template = [
  { type: 'header', text: { type: 'plain_text', text: 'Order {{order.id}}' } },
  {
    type: 'section',
    text: {
      type: 'mrkdwn',
      text: '*{{customer.name}}* ordered for {{order.total}} {{order.currency}}, by {{order.channel}}.',
    },
  },
  {
    type: 'directive',
    directive: '#if',
    condition: { path: 'order.urgent' },
    children: [{ type: 'context', elements: [{ type: 'mrkdwn', text: 'Urgent: {{order.reason}}' }] }],
  },
  {
    type: 'directive',
    directive: '#each',
    path: 'items',
    as: 'item',
    children: [
      {
        type: 'section',
        text: { type: 'mrkdwn', text: '{{item.quantity}} × {{item.name}} for {{item.price}}' },
      },
    ],
  },
  { type: 'divider' },
] as const;

/** What the template reads, with this many items. */
export const dataOf = (count: number) => ({
  order: {
    id: 'A-4711',
    total: '129.90',
    currency: 'EUR',
    channel: 'web shop',
    urgent: true,
    reason: 'promised for today',
  },
  customer: { name: 'Ada Lovelace' },
  items: Array.from({ length: count }, (_, index) => ({
    quantity: (index % 9) + 1,
    name: `Widget of the kind ${index}`,
    price: `${index}.50 EUR`,
  })),
});

/** See {@link dataOf}. */
export type MessageData = ReturnType<typeof dataOf>;

const line = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });

/** What every engine is to make of the data: written by hand, and checked before anything is timed. */
export const expectedOf = ({ order, customer, items }: MessageData) => [
  { type: 'header', text: { type: 'plain_text', text: `Order ${order.id}` } },
  line(`*${customer.name}* ordered for ${order.total} ${order.currency}, by ${order.channel}.`),
  { type: 'context', elements: [{ type: 'mrkdwn', text: `Urgent: ${order.reason}` }] },
  ...items.map((item) => line(`${item.quantity} × ${item.name} for ${item.price}`)),
  { type: 'divider' },
];

/** An engine with this message's template: parsed beforehand, or again for each message. */
export interface Engine {
  readonly name: string;
  readonly hot: (data: MessageData) => unknown;
  readonly cold: (data: MessageData) => unknown;
}
