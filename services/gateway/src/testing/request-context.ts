import type { HttpOperation } from '@stanza/contracts';
import { newContext, silentLogger } from '@stanza/runtime';
import express from 'express';
import type { RequestContext } from '../http/request-context.ts';

/** The test's properties of a request beyond its operation. */
export interface RequestFacts extends Partial<Omit<RequestContext, 'operation' | 'request'>> {
  /** Headers of the request. */
  sent?: Record<string, string>;
}

/** A request in the pipeline, as express makes it. */
export const newRequestContext = (
  operation: HttpOperation,
  { sent = {}, ...more }: RequestFacts = {},
): RequestContext => ({
  operation,
  request: Object.create(express.request, { headers: { value: sent } }),
  response: Object.create(express.response),
  context: newContext({ deadlineMs: 1_000 }),
  log: silentLogger(),
  deprecated: [],
  headers: {},
  ...more,
});
