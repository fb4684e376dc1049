import {
  type EntityTagged,
  entityTag,
  type HttpOperation,
  namesTag,
  resourceTag,
  takesIfMatch,
  takesIfNoneMatch,
} from '@stanza/contracts';
import type { Request } from 'express';
import { z } from 'zod';
import type { Answer } from './request-context.ts';

/** Answers belong to their caller, and are asked for again each time. */
const revalidated = { 'Cache-Control': 'private, no-cache' };

const object = z.looseObject({});

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
