import { type CodedError, type ErrorCode, type HttpOperation, scimSchemas } from '@stanza/contracts';
import { z } from 'zod';
import type { Answer } from './request-context.ts';

/** RFC 7644, 3.1. */
const scimType = 'application/scim+json; charset=utf-8';

const headers = { 'Content-Type': scimType };

/** The response of a SCIM operation; 204 has no body. */
export const scimAnswer = (status: number, json: Uint8Array): Answer =>
  status === 204 ? { status, body: '' } : { status, body: json, headers };

/** SCIM has no 422. */
const statusOf = ({ code, status }: CodedError): number => (code === 'validation_failed' ? 400 : status);

const wordFor: Partial<Record<ErrorCode, string>> = { invalid_request: 'invalidSyntax' };

/** The matching `scimType` of RFC 7644, 3.12: the filter, or a value. */
const wordOf = ({ code, facts }: CodedError): string | undefined => {
  if (code !== 'validation_failed') return wordFor[code];
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
