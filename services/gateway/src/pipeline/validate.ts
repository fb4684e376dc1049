import {
  type AliasPlan,
  aliasPlan,
  canonicalize,
  type HttpOperation,
  idempotencyKeyHeader,
  limits,
  type ValidationIssue,
  validationFailed,
  validationIssues,
} from '@stanza/contracts';
import { z } from 'zod';
import { unacceptable } from '../http/json.ts';
import { keyOf, type RequestContext } from '../http/request-context.ts';

interface Part<S extends z.ZodType> {
  schema: S;
  plan: AliasPlan | undefined;
}

interface Plans {
  params: Part<z.ZodObject> | undefined;
  query: Part<z.ZodObject> | undefined;
  body: Part<z.ZodType> | undefined;
}

const plansOf = new WeakMap<HttpOperation, Plans>();

const part = <S extends z.ZodType>(schema: S | undefined): Part<S> | undefined =>
  schema && { schema, plan: aliasPlan(schema) };

/**
 * What an operation takes of the query. A key that it does not know may be a misspelled filter, but what a POST asks for
 * is in its body: others add keys of their own to an address, and they change nothing.
 */
const queryOf = ({ method, query }: HttpOperation): z.ZodObject | undefined =>
  method === 'POST' ? query?.strip() : (query ?? z.strictObject({}));

const planned = (operation: HttpOperation): Plans => {
  const known = plansOf.get(operation);
  if (known) return known;
  const plans = {
    params: part(operation.params),
    query: part(queryOf(operation)),
    body: part(operation.body),
  };
  plansOf.set(operation, plans);
  return plans;
};

/** Only where it has a meaning; on other operations the header is ignored. */
const keyIssues = (requestContext: RequestContext): ValidationIssue[] => {
  const key = keyOf(requestContext);
  if (key === undefined || (key.length > 0 && key.length <= limits.idempotencyKey)) return [];
  const message = `must have 1 to ${limits.idempotencyKey} characters; leave the header out for none`;
  return [{ code: 'custom', path: [idempotencyKeyHeader], message }];
};

/**
 * Checks params, query and body against the schemas of the operation and reports everything at once. From here on
 * names are canonical and defaults are filled in; nobody further in looks at the shape again.
 */
export const validate = (requestContext: RequestContext): void => {
  const plans = planned(requestContext.operation);
  const issues: ValidationIssue[] = [];
  const check = <S extends z.ZodType>(of: Part<S> | undefined, raw: unknown, unfit = unacceptable(raw)) => {
    if (!of) return { value: undefined, canonical: undefined };
    const canonical = canonicalize(of.plan, raw);
    requestContext.deprecated.push(...canonical.used);
    const parsed = of.schema.safeParse(canonical.value, { reportInput: true });
    issues.push(...canonical.issues, ...unfit);
    if (!parsed.success) issues.push(...validationIssues(parsed.error.issues));
    return { value: parsed.data, canonical: canonical.value };
  };
  const { request } = requestContext;
  const params = check(plans.params, request.params);
  const query = check(plans.query, request.query);
  const body = check(plans.body, requestContext.json, requestContext.bodyIssues);
  issues.push(...keyIssues(requestContext));
  if (issues.length > 0) throw validationFailed(issues);
  requestContext.input = { params: params.value ?? {}, query: query.value ?? {}, body: body.value };
  requestContext.canonical = { params: params.canonical, query: query.canonical, body: body.canonical };
};
