/** A message of ordinary size: a header, three sections, a context. */
export const blocks = [
  { type: 'header', text: { type: 'plain_text', text: 'Deploy of {{service}}' } },
  { type: 'section', text: { type: 'mrkdwn', text: '*{{version}}* is live, by {{author.name}}.' } },
  {
    type: 'directive',
    directive: '#each',
    path: 'changes',
    as: 'change',
    children: [{ type: 'section', text: { type: 'mrkdwn', text: '• {{change.title}} ({{change.id}})' } }],
  },
  { type: 'divider' },
  {
    type: 'context',
    elements: [{ type: 'mrkdwn', text: '{{environment | upper}} · {{count | number:0}} checks' }],
  },
];

/** Values for {@link blocks}. */
export const data = {
  service: 'checkout-api',
  version: '1.4.2',
  author: { name: 'Ada' },
  environment: 'production',
  count: 1_284,
  changes: [
    { id: 'PR-1', title: 'Faster totals' },
    { id: 'PR-2', title: 'Fix rounding of refunds & fees' },
    { id: 'PR-3', title: 'Drop the old endpoint' },
  ],
};
