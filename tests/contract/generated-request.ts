import type { HttpOperation } from '@stanza/contracts';
import fc from 'fast-check';
import { anyText } from '../kit/any-text.ts';
import { channelsOf } from '../kit/channels.ts';
import { bodySchemaOf, type DescribedParameter, parametersOf, resolved } from '../kit/openapi.ts';
import { type Ids, type Sources, valueFor } from './generate.ts';
import { hostile, nearly } from './hostile.ts';
import { isObject } from './values.ts';

/** A request made from the document: as described, nearly so, or not at all. */
export interface GeneratedRequest {
  params: Record<string, string>;
  query: Record<string, string>;
  /** The body as it is sent. */
  raw: string | undefined;
  headers: Record<string, string>;
}

/** What requests of an operation are made with. */
export interface Material {
  /** Path parameters that exist. */
  params: Ids;
  /** Ids that exist, by the key of a query or a body that holds them. */
  ids: Ids;
  /** A block of the template language, or something like it. */
  block: fc.Arbitrary<unknown>;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.toWellFormed() : String(JSON.stringify(value));

const textsFor = (
  parameters: readonly DescribedParameter[],
  ids: Ids,
  isGood: (text: string) => boolean = () => true,
): Record<string, fc.Arbitrary<string>> => {
  const entries = parameters.map(({ name, schema }) => {
    const fitting = valueFor(schema, { ids, resolve: resolved }, name).map(textOf);
    const other = hostile().map(textOf).filter(isGood);
    return [name, fc.oneof({ weight: 9, arbitrary: fitting }, { weight: 1, arbitrary: other })] as const;
  });
  return Object.fromEntries(entries);
};

/** Segments of dots are taken out of a path before it is sent: they would ask for another operation. */
const isSegment = (text: string): boolean => !/^\.{0,2}$/.test(text);

const some = (model: Record<string, fc.Arbitrary<string>>): fc.Arbitrary<Record<string, string>> =>
  fc
    .subarray(Object.keys(model))
    .chain((keys) =>
      fc.record(Object.fromEntries(Object.entries(model).filter(([key]) => keys.includes(key)))),
    );

const channels = channelsOf('generated-requests');
/** A channel takes a message a second, so that those of one channel would wait for each other. */
const channel = fc.nat({ max: 299 }).map((number) => channels.at(number));

const bodyFor = (operation: HttpOperation, { ids, block }: Material): fc.Arbitrary<string | undefined> => {
  const schema = bodySchemaOf(operation);
  if (!schema) return fc.constant(undefined);
  const { example } = operation;
  const known = Object.entries(ids).filter(([key]) => isObject(example) && Object.hasOwn(example, key));
  const own = channel.map((channel_id) =>
    isObject(example)
      ? { ...example, ...Object.fromEntries(known), ...('channel_id' in example ? { channel_id } : {}) }
      : example,
  );
  const sources: Sources = {
    ids,
    resolve: resolved,
    special: { blocks: fc.array(block, { minLength: 1, maxLength: 4 }), channel_id: channel },
  };
  const fitting = fc.oneof(
    { weight: 1, arbitrary: own },
    { weight: 2, arbitrary: valueFor(schema, sources) },
  );
  const json = fc.oneof(
    { weight: 5, arbitrary: fitting },
    { weight: 4, arbitrary: nearly(fitting) },
    { weight: 1, arbitrary: hostile() },
  );
  return fc.oneof(
    { weight: 19, arbitrary: json.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: anyText() },
  );
};

const headersFor = ({ idempotent }: HttpOperation): fc.Arbitrary<Record<string, string>> =>
  some({
    'x-request-id': fc.string({ maxLength: 200 }).map((text) => text.trim()),
    'content-type': fc.constantFrom('text/plain', 'application/json; charset=utf-7', 'x'),
    ...(idempotent ? { 'idempotency-key': fc.constantFrom('one', 'other', 'x'.repeat(300)) } : {}),
  });

/** Requests of an operation. */
export const requestFor = (operation: HttpOperation, material: Material): fc.Arbitrary<GeneratedRequest> => {
  const parameters = parametersOf(operation);
  const inPath = parameters.filter((it) => it.place === 'path');
  const inQuery = parameters.filter((it) => it.place === 'query');
  return fc.record({
    params: fc.record(textsFor(inPath, material.params, isSegment)),
    query: some(textsFor(inQuery, material.ids)),
    raw: bodyFor(operation, material),
    headers: headersFor(operation),
  });
};
