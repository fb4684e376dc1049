import {
  type AliasPlan,
  aliasPlan,
  canonicalize,
  type HttpOperation,
  idempotencyKeyHeader,
  limits,
  notFound,
  type ValidationIssue,
  validationFailed,
  validationIssues,
} from '@stanza/contracts';
import { z } from 'zod';
import { speaksScim } from '../http/answers.ts';
import { unacceptable } from '../http/json.ts';
import { keyOf, type RequestContext } from '../http/request-context.ts';
import { isMadeByClient, openKindOf } from './admit.ts';

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

const nothing = z.strictObject({});

/** An empty object or null asks for nothing: clients send them by habit. */
const noBody = nothing.nullish();

/** The query of an operation. An unknown key is a misspelled filter, or an option that would have no effect. */
const queryOf = (operation: HttpOperation): z.ZodObject | undefined => {
  const { query } = operation;
  if (isMadeByClient(operation)) return query ?? nothing;
  return openKindOf(operation) ? query?.strip() : query;
};

/** The body of an operation; where it takes none, one with a key is refused like an unknown key. */
const bodyOf = (operation: HttpOperation): z.ZodType | undefined =>
  operation.body ?? (isMadeByClient(operation) ? noBody : undefined);

const planned = (operation: HttpOperation): Plans => {
  const known = plansOf.get(operation);
  if (known) return known;
  const plans = {
    params: part(operation.params),
    query: part(queryOf(operation)),
    body: part(bodyOf(operation)),
  };
  plansOf.set(operation, plans);
  return plans;
};

const isRepeated = 'is given more than once';

/** Only where it has a meaning; other operations ignore the header. */
const keyIssues = (requestContext: RequestContext): ValidationIssue[] => {
  const key = keyOf(requestContext);
  if (key === undefined) return [];
  const path = [idempotencyKeyHeader];
  // Node joins them to one text, which would be another key in another order.
  if ((requestContext.request.headersDistinct[idempotencyKeyHeader.toLowerCase()] ?? []).length > 1)
    return [{ code: 'custom', path, message: isRepeated }];
  if (key.length > 0 && key.length <= limits.idempotencyKey) return [];
  const message = `must have 1 to ${limits.idempotencyKey} characters; omit the header to send none`;
  return [{ code: 'custom', path, message }];
};

/** A list in a query is a parameter that is there twice: that it is no string would mislead where a number is wanted. */
const ofRepeated =
  (query: unknown) =>
  (issue: ValidationIssue): ValidationIssue =>
    issue.code === 'invalid_type' && Array.isArray(Object(query)[issue.path.join('.')])
      ? { ...issue, message: isRepeated }
      : issue;

/**
 * Checks params, query and body against the schemas of the operation and reports all issues together. From here on
 * names are canonical and defaults are filled in; later steps do not validate again.
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
  const { request, operation } = requestContext;
  const params = check(plans.params, request.params);
  // RFC 7644, 3.12: an id that no resource can have is one that none has.
  if (issues.length > 0 && speaksScim(operation)) {
    throw notFound(operation.errors.includes('user_not_found') ? 'user' : 'group');
  }
  const query = check(plans.query, request.query);
  const given = check(plans.body, requestContext.json, requestContext.bodyIssues);
  const body = operation.body ? given : { value: undefined, canonical: undefined };
  issues.push(...keyIssues(requestContext));
  if (issues.length > 0) throw validationFailed(issues.map(ofRepeated(query.canonical)));
  requestContext.input = { params: params.value ?? {}, query: query.value ?? {}, body: body.value };
  requestContext.canonical = { params: params.canonical, query: query.canonical, body: body.canonical };
};
