import { CodedError } from '@stanza/contracts';
import express, { type Request, type Response } from 'express';
import { unreadable } from '../http/content-coding.ts';
import { readJsonBytes } from '../http/json.ts';

/** Bytes of a message of an agent: a whole template, and what is around it. */
export const messageBytes = 1_048_576;

const reader = express.raw({ type: () => true, limit: messageBytes });

const refused = (message: string, more: { http_status?: number; cause?: unknown } = {}): CodedError => {
  const { cause, ...facts } = more;
  return new CodedError('invalid_request', { message, ...facts }, { cause });
};

const bytesOf = (request: Request, response: Response): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    reader(request, response, (error: unknown) => {
      if (error === undefined || error === null) {
        return resolve(request.body instanceof Uint8Array ? request.body : new Uint8Array());
      }
      const type = typeof error === 'object' && 'type' in error ? error.type : undefined;
      if (type === 'entity.too.large') {
        const message = `The message is larger than ${messageBytes / 1_024} KiB.`;
        return reject(refused(message, { http_status: 413, cause: error }));
      }
      return reject(unreadable(request, 'message', error));
    });
  });

/**
 * Reads the message of an agent, within its limits of bytes and depth. A value that would be changed silently is refused.
 * @throws CodedError `invalid_request`, `unsupported_media_type` for a coding that is not read
 */
export const readMessage = async (request: Request, response: Response): Promise<object> => {
  const { json, issues } = readJsonBytes(await bytesOf(request, response), 'message');
  const [issue] = issues;
  if (issue)
    throw refused(`The message holds what cannot be kept: ${issue.path.join('.')} ${issue.message}.`);
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw refused('Send one message with each request, as a JSON object.');
  }
  return json;
};
