import type { z } from 'zod';
import { publicEvents } from '../public-events/catalogue.ts';
import { deliveredPayloads } from '../public-events/payloads.ts';
import type { JsonObject, SchemaCollector } from './schemas.ts';
import type { SharedComponents } from './shared-components.ts';

/** Headers of every delivery, as Standard Webhooks define them. */
const headers: Readonly<Record<string, { description: string; example: string }>> = {
  'webhook-id': {
    description: 'Names the delivery: the same in each attempt at it. Who remembers it does nothing twice.',
    example: '01938c2e-7b1a-7c3d-9e4f-0000d5e6f708',
  },
  'webhook-timestamp': {
    description: 'When the attempt was signed, in seconds since 1970.',
    example: '1795249800',
  },
  'webhook-signature': {
    description:
      'Signatures of the id, the timestamp and the bytes of the body, one for each secret that counts: `v1,` and base64.',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
};

const parameters: readonly [string, JsonObject][] = Object.entries(headers).map(
  ([name, { description, example }]) => [
    name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    { name, in: 'header', required: true, description, schema: { type: 'string' }, example },
  ],
);

const answers: readonly [string, string, string][] = [
  ['2XX', 'DeliveryTaken', 'The payload is taken.'],
  [
    '4XX',
    'DeliveryRefused',
    'The payload is refused, and the delivery is failed: it can be delivered again. 408 and 429 are tried again.',
  ],
  ['5XX', 'DeliveryPostponed', 'The payload is delivered again later, as the destination says.'],
];

interface Delivered {
  readonly schemaName: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly schema: z.ZodType;
}

const delivery = (it: Delivered, collector: SchemaCollector, shared: SharedComponents): JsonObject => ({
  post: {
    operationId: `receive${it.schemaName}`,
    tags: [it.tag],
    summary: it.summary,
    description: it.description,
    security: [],
    parameters: parameters.map(([name, part]) => shared.refer('parameters', [name], part)),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: collector.convert(it.schema, 'output') } },
    },
    responses: Object.fromEntries(
      answers.map(([status, name, description]) => [
        status,
        shared.refer('responses', [name], { description }),
      ]),
    ),
  },
});

/** What destinations receive: the events that a subscription names, digests, and interactions. */
export const webhooks = (collector: SchemaCollector, shared: SharedComponents): JsonObject => ({
  ...Object.fromEntries(
    publicEvents.map(({ type, when, subject, ...event }) => {
      const summary = `Receive ${type}`;
      const description = `${when} It comes at least once, with the same \`id\`; events with the same \`${subject}\` come in order where possible.`;
      return [type, delivery({ ...event, tag: 'events', summary, description }, collector, shared)];
    }),
  ),
  ...Object.fromEntries(
    deliveredPayloads.map(({ name, when, ...payload }) => {
      const described = { tag: 'destinations', summary: `Receive the payload: ${name}`, description: when };
      return [name, delivery({ ...payload, ...described }, collector, shared)];
    }),
  ),
});
