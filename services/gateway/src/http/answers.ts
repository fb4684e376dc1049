import { createHash } from 'node:crypto';
import {
  type CodedError,
  type EntityTagged,
  type ErrorCode,
  type ErrorFacts,
  entityTag,
  errorDocs,
  type HttpOperation,
  namesTag,
  type PersonPage,
  type Principal,
  personPage,
  requiredScopes,
  resourceTag,
  scimSchemas,
  takesIfMatch,
  takesIfNoneMatch,
} from '@stanza/contracts';
import type { Request } from 'express';
import { z } from 'zod';
import { type Answer, pageType } from './request-context.ts';

/** Default `Retry-After` of a 429 or 503, seconds. */
const defaultRetryAfter = 1;

const headersOf = (error: CodedError): Record<string, string> => {
  if (error.status === 401) return { 'WWW-Authenticate': 'Bearer realm="stanza"' };
  if (error.status !== 429 && error.status !== 503) return {};
  return { 'Retry-After': String(Math.max(1, Math.ceil(error.facts.retry_after ?? defaultRetryAfter))) };
};

/** Whose request was refused, and what it asked for. */
export interface Asked {
  operation?: HttpOperation;
  principal?: Principal;
}

/** Each 403 names scopes: one for another reason than a scope those of the operation and of the caller. */
const scopesOf = (
  { status, facts }: CodedError,
  { operation, principal }: Asked,
): Pick<ErrorFacts, 'required_scopes' | 'user_scopes'> => {
  if (status !== 403) return {};
  const { required_scopes = [], user_scopes = principal?.scopes } = facts;
  return {
    required_scopes: required_scopes.length === 0 && operation ? requiredScopes(operation) : required_scopes,
    ...(user_scopes && { user_scopes: [...user_scopes] }),
  };
};

/** Codes that mean a refused token; other failures say nothing about the token. */
const isRefused = ({ status }: CodedError): boolean => status === 401 || status === 403;

/** The error object of the contract. */
export const errorAnswer = (error: CodedError, requestId: string, asked: Asked = {}): Answer => {
  const { issues, details, error_details } = error.facts;
  const shape =
    error.code === 'validation_failed'
      ? { success: false, error: { issues: issues ?? [], name: 'ValidationError' }, message: error.message }
      : { error: error.message };
  const body = {
    ...shape,
    code: error.code,
    request_id: requestId,
    details,
    error_details,
    ...scopesOf(error, asked),
    docs: errorDocs(error.code),
    ...(asked.operation?.answersValidity && isRefused(error) ? { valid: false } : {}),
  };
  return { status: error.status, body: JSON.stringify(body), headers: headersOf(error) };
};

const style = `
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f6f5f9, #131218);
  color: light-dark(#1d1b26, #eceaf2); font: 16px/1.5 system-ui, sans-serif; }
main { box-sizing: border-box; width: min(32rem, 100vw - 2rem); padding: 2rem; border-radius: 12px;
  background: light-dark(#fff, #1c1b22); border: 1px solid light-dark(#e6e3ee, #33313d); overflow-wrap: anywhere; }
h1 { margin: 0 0 1rem; font-size: 1.4rem; line-height: 1.3; }
p { margin: 0 0 1rem; }
button { font: inherit; font-weight: 600; color: #fff; background: #5b4bdb; border: 0; border-radius: 8px;
  padding: .6rem 1.2rem; cursor: pointer; }
button:focus-visible { outline: 3px solid light-dark(#1d1b26, #eceaf2); outline-offset: 2px; }
`;

/** The page loads nothing and runs no script, and its button posts to this service only. */
const contentPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes untrusted text, such as names of organizations and workspaces, for a page. */
export const escapeMarkup = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);

const buttonOf = ({ label, href }: NonNullable<PersonPage['action']>): string =>
  `<form method="post" action="${escapeMarkup(href)}"><button type="submit">${escapeMarkup(label)}</button></form>`;

const html = ({ title, text, action }: PersonPage): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeMarkup(title)} · Stanza</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeMarkup(title)}</h1>
${text.map((paragraph) => `<p>${escapeMarkup(paragraph)}</p>`).join('\n')}
${action === null ? '' : buttonOf(action)}
</main>
</body>
</html>
`;

const answerOf = (status: number, shown: PersonPage, headers: Answer['headers'] = {}): Answer => ({
  status,
  body: html(shown),
  headers: { ...headers, 'Content-Type': pageType, 'Content-Security-Policy': contentPolicy },
});

/** Makes the page of an operation's reply. */
export const pageAnswer = (status: number, json: Uint8Array): Answer =>
  answerOf(status, personPage.parse(JSON.parse(Buffer.from(json).toString())));

/** Programs get errors in JSON, also from operations with pages. */
export const takesPages = ({ answers }: Pick<HttpOperation, 'answers'>, request: Request): boolean =>
  answers === 'page' && /\btext\/html\b/.test(request.get('accept') ?? '');

/** The advice of the error table is for programs. */
const tryAgain = 'Try again in a minute; if it fails again, give the operator the line below.';

/** The page of an error, with its code for a support request. */
export const errorPageAnswer = (error: CodedError, requestId: string, headers: Answer['headers']): Answer => {
  const advice = error.status >= 500 || error.status === 429 ? [tryAgain] : [];
  const text = [error.message, ...advice, `${error.code} · ${requestId}`];
  return answerOf(error.status, { title: 'Something went wrong', text, action: null }, headers);
};

/** A page with a message for a person, without a button. */
export const messagePage = (status: number, shown: Omit<PersonPage, 'action'>): Answer =>
  answerOf(status, { ...shown, action: null });

/** RFC 7644, 3.1. */
const scimType = 'application/scim+json; charset=utf-8';

const headers = { 'Content-Type': scimType };

/** What was created says where it is, relative to where it was. */
const createdResource = z.object({ meta: z.object({ location: z.string() }) });

/** The response of a SCIM operation; 204 has no body, and 201 a header that names the resource (RFC 7644, 3.3). */
export const scimAnswer = (status: number, json: Uint8Array): Answer => {
  if (status === 204) return { status, body: '' };
  if (status !== 201) return { status, body: json, headers };
  const { meta } = createdResource.parse(JSON.parse(Buffer.from(json).toString()));
  return { status, body: json, headers: { ...headers, Location: meta.location } };
};

/** SCIM has no 422. */
const statusOf = ({ code, status }: CodedError): number => (code === 'validation_failed' ? 400 : status);

const wordFor: Partial<Record<ErrorCode, string>> = {
  invalid_request: 'invalidSyntax',
  already_exists: 'uniqueness',
};

/** Words of RFC 7644, 3.12, that a service says itself, as the code of an issue. */
const scimWords = ['mutability', 'invalidPath', 'noTarget'];

/** The matching `scimType` of RFC 7644, 3.12: the filter, or a value. */
const wordOf = ({ code, facts }: CodedError): string | undefined => {
  if (code !== 'validation_failed') return wordFor[code];
  const said = facts.issues?.find((issue) => scimWords.includes(issue.code));
  if (said) return said.code;
  return facts.issues?.some(({ path }) => path[0] === 'filter') ? 'invalidFilter' : 'invalidValue';
};

const object = z.looseObject({});

/** A SCIM error (RFC 7644, 3.12), with the code and request id that every error of the service has. */
export const scimErrorAnswer = (error: CodedError, plain: Answer): Answer => {
  const status = statusOf(error);
  const body = {
    ...object.parse(JSON.parse(String(plain.body))),
    schemas: [scimSchemas.error],
    status: String(status),
    detail: error.message,
    scimType: wordOf(error),
  };
  return { status, body: JSON.stringify(body), headers: { ...plain.headers, ...headers } };
};

/** Whether an operation belongs to SCIM. */
export const speaksScim = ({ answers }: Pick<HttpOperation, 'answers'>): boolean => answers === 'scim';

/** Answers belong to their caller, and are asked for again each time. */
const revalidated = { 'Cache-Control': 'private, no-cache' };

/** The answer's own bytes name it, unless some of its keys do not count. */
const tagOf = (body: string | Uint8Array, tagged: EntityTagged): string =>
  tagged.without === undefined
    ? entityTag(body)
    : resourceTag(object.parse(JSON.parse(Buffer.from(body).toString())), tagged);

const hasIt = (request: Pick<Request, 'get'>, tag: string): boolean => {
  const header = request.get('if-none-match');
  return header !== undefined && namesTag(header, tag);
};

/** An answer with its tag; 304 without a body where the caller has it. */
export const withTag = (operation: HttpOperation, request: Pick<Request, 'get'>, answer: Answer): Answer => {
  if (!operation.entityTag) return answer;
  const tag = tagOf(answer.body, operation.entityTag);
  const headers = { ...answer.headers, ...revalidated, ETag: tag };
  return takesIfNoneMatch(operation) && hasIt(request, tag)
    ? { status: 304, body: '', headers }
    : { ...answer, headers };
};

/** The `If-Match` of a request for the owner of its operation; undefined where that takes none. */
export const ifMatchOf = (operation: HttpOperation, request: Pick<Request, 'get'>): string | undefined =>
  takesIfMatch(operation) ? request.get('if-match') : undefined;
