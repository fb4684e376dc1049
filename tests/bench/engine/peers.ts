import { Template } from 'adaptivecards-templating';
import { Eta } from 'eta';
import Handlebars from 'handlebars';
import { type Engine, expectedOf, type MessageData } from './message.ts';

/** Text engines write JSON text, so they need values escaped for it and pay for `JSON.parse`, as they do in use. */
const quote = (value: unknown): string => JSON.stringify(String(value)).slice(1, -1);

const handlebars = Handlebars.create();
handlebars.registerHelper('j', quote);
const handlebarsText = `[
{"type":"header","text":{"type":"plain_text","text":"Order {{j order.id}}"}},
{"type":"section","text":{"type":"mrkdwn","text":"*{{j customer.name}}* ordered for {{j order.total}} {{j order.currency}}, by {{j order.channel}}."}}
{{#if order.urgent}},{"type":"context","elements":[{"type":"mrkdwn","text":"Urgent: {{j order.reason}}"}]}{{/if}}
{{#each items}},{"type":"section","text":{"type":"mrkdwn","text":"{{j quantity}} × {{j name}} for {{j price}}"}}{{/each}}
,{"type":"divider"}]`;
const handlebarsOptions = { noEscape: true };
const handlebarsHot = handlebars.compile(handlebarsText, handlebarsOptions);

const withHandlebars: Engine = {
  name: 'handlebars 4.7.10 + JSON.parse',
  hot: (data) => JSON.parse(handlebarsHot(data)),
  cold: (data) => JSON.parse(handlebars.compile(handlebarsText, handlebarsOptions)(data)),
};

const eta = new Eta({ autoEscape: false });
const etaText = `[
{"type":"header","text":{"type":"plain_text","text":"Order <%= it.quote(it.order.id) %>"}},
{"type":"section","text":{"type":"mrkdwn","text":"*<%= it.quote(it.customer.name) %>* ordered for <%= it.quote(it.order.total) %> <%= it.quote(it.order.currency) %>, by <%= it.quote(it.order.channel) %>."}}
<% if (it.order.urgent) { %>,{"type":"context","elements":[{"type":"mrkdwn","text":"Urgent: <%= it.quote(it.order.reason) %>"}]}<% } %>
<% for (const item of it.items) { %>,{"type":"section","text":{"type":"mrkdwn","text":"<%= it.quote(item.quantity) %> × <%= it.quote(item.name) %> for <%= it.quote(item.price) %>"}}<% } %>
,{"type":"divider"}]`;
const etaHot = eta.compile(etaText);

const withEta: Engine = {
  name: 'eta 4.6.0 + JSON.parse',
  hot: (data) => JSON.parse(eta.render(etaHot, { ...data, quote })),
  cold: (data) => JSON.parse(eta.render(eta.compile(etaText), { ...data, quote })),
};

/** A value in the language of adaptive cards. */
const bound = (path: string): string => `\${${path}}`;

const adaptive = [
  { type: 'header', text: { type: 'plain_text', text: `Order ${bound('order.id')}` } },
  {
    type: 'section',
    text: {
      type: 'mrkdwn',
      text: `*${bound('customer.name')}* ordered for ${bound('order.total')} ${bound('order.currency')}, by ${bound('order.channel')}.`,
    },
  },
  {
    $when: bound('order.urgent'),
    type: 'context',
    elements: [{ type: 'mrkdwn', text: `Urgent: ${bound('order.reason')}` }],
  },
  {
    $data: bound('items'),
    type: 'section',
    text: { type: 'mrkdwn', text: `${bound('quantity')} × ${bound('name')} for ${bound('price')}` },
  },
  { type: 'divider' },
];
const adaptiveHot = new Template(adaptive);

const withAdaptive: Engine = {
  name: 'adaptivecards-templating 2.3.1',
  hot: (data) => adaptiveHot.expand({ $root: data }),
  cold: (data) => new Template(adaptive).expand({ $root: data }),
};

/** What was made of the data before, so that the floor makes nothing itself. */
const made = new WeakMap<MessageData, string>();

const copyOf = (data: MessageData): unknown => {
  const text = made.get(data) ?? JSON.stringify(expectedOf(data));
  made.set(data, text);
  return JSON.parse(text);
};

/** The floor: the blocks are there as text already, and are read. No template, no data, no limits. */
const onlyParsing: Engine = { name: 'floor: JSON.parse of the finished blocks', hot: copyOf, cold: copyOf };

/** The engines to compare with, each with the same message. */
export const peers = { handlebars: withHandlebars, eta: withEta, adaptive: withAdaptive, floor: onlyParsing };
