import { publicEvents } from '../public-events/catalogue.ts';
import type { JsonObject, SchemaCollector } from './schemas.ts';

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

const parameters = Object.entries(headers).map(([name, { description, example }]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
}));

const answers: JsonObject = {
  '2XX': { description: 'The event is taken.' },
  '4XX': {
    description:
      'The event is refused, and the delivery is failed: it can be delivered again. 408 and 429 are tried again.',
  },
  '5XX': { description: 'The event is delivered again later, as the destination says.' },
};

/** The events that destinations receive, of those that a subscription names; each is made from its declaration. */
export const webhooks = (collector: SchemaCollector): JsonObject =>
  Object.fromEntries(
    publicEvents.map(({ type, when, subject, schema, sample, schemaName }) => [
      type,
      {
        post: {
          operationId: `receive${schemaName}`,
          tags: ['events'],
          summary: `Receive ${type}`,
          description: `${when} It comes at least once, with the same \`id\`; events with the same \`${subject}\` come in order where possible.`,
          security: [],
          parameters,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: collector.convert(schema, 'output'), example: sample } },
          },
          responses: answers,
        },
      },
    ]),
  );
