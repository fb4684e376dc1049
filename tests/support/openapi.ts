import { openApiDocument } from '@stanza/contracts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { z } from 'zod';

const response = z.looseObject({
  content: z.record(z.string(), z.object({ schema: z.unknown() })).optional(),
});
const described = z.looseObject({ responses: z.record(z.string(), response).optional() });
const document = z
  .looseObject({ paths: z.record(z.string(), z.record(z.string(), described)) })
  .parse(openApiDocument('closed'));

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document, 'stanza');

const pointerPart = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');

const pathFor = (method: string, path: string): string | undefined => {
  const given = (path.startsWith('/v1/') ? path : `/v1${path}`).split('?')[0]?.split('/') ?? [];
  const fits = (candidate: string): boolean => {
    const parts = candidate.split('/');
    return (
      parts.length === given.length && parts.every((part, at) => part.startsWith('{') || part === given[at])
    );
  };
  const candidates = Object.keys(document.paths).filter((it) => document.paths[it]?.[method] && fits(it));
  return candidates.sort((one, other) => one.split('{').length - other.split('{').length)[0];
};

/** What an answer has that the OpenAPI document does not allow; undefined when it is as documented. */
export const undocumented = (
  method: string,
  path: string,
  status: number,
  body: unknown,
): string | undefined => {
  const verb = method.toLowerCase();
  const route = pathFor(verb, path);
  if (route === undefined) return status === 404 ? undefined : `${method} ${path} is not documented`;
  const responses = document.paths[route]?.[verb]?.responses ?? {};
  if (!responses[String(status)]) return `${method} ${route} does not document status ${status}`;
  const reference = `stanza#/paths/${pointerPart(route)}/${verb}/responses/${status}/content/application~1json/schema`;
  const check = ajv.getSchema(reference);
  if (!check) return `no schema at ${reference}`;
  return check(body) ? undefined : `${method} ${route} ${status}: ${ajv.errorsText(check.errors)}`;
};
