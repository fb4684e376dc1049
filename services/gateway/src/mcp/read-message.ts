import { CodedError, defaultBodyLimit } from '@stanza/contracts';
import type { Request, Response } from 'express';
import { readJsonBytes } from '../http/json.ts';
import { openBodyMs, readBytes } from '../http/read-bytes.ts';

/** Bytes of a message of an agent: the body of the request that it leads to, and what is around it. */
export const messageBytes = defaultBodyLimit + 16 * 1_024;

const rules = { limit: messageBytes, withinMs: openBodyMs, what: 'message' };

const refused = (message: string): CodedError => new CodedError('invalid_request', { message });

/**
 * Reads the message of an agent, within its limits of bytes, time and depth. A value that would be changed silently is
 * refused.
 * @throws CodedError `invalid_request`, `unsupported_media_type` for a coding that is not read
 */
export const readMessage = async (request: Request, response: Response): Promise<object> => {
  const { json, issues } = readJsonBytes(await readBytes(request, response, rules), 'message');
  const [issue] = issues;
  if (issue)
    throw refused(`The message holds what cannot be kept: ${issue.path.join('.')} ${issue.message}.`);
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw refused('Send one message with each request, as a JSON object.');
  }
  return json;
};
