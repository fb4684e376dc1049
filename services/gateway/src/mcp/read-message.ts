import { CodedError, limits } from '@stanza/contracts';
import express, { type Request, type Response } from 'express';
import { nestsDeeperThan, readJson } from '../http/json.ts';

/** Bytes of a message of an agent: a whole template, and what is around it. */
export const messageBytes = 1_048_576;

const reader = express.text({ type: () => true, limit: messageBytes });

const refused = (message: string, more: { http_status?: number; cause?: unknown } = {}): CodedError => {
  const { cause, ...facts } = more;
  return new CodedError('invalid_request', { message, ...facts }, { cause });
};

const textOf = (request: Request, response: Response): Promise<string> =>
  new Promise((resolve, reject) => {
    reader(request, response, (error: unknown) => {
      if (error === undefined || error === null) {
        return resolve(typeof request.body === 'string' ? request.body : '');
      }
      const type = typeof error === 'object' && 'type' in error ? error.type : undefined;
      if (type === 'entity.too.large') {
        const message = `The message is larger than ${messageBytes / 1_024} KiB.`;
        return reject(refused(message, { http_status: 413, cause: error }));
      }
      return reject(refused('The message could not be read.', { cause: error }));
    });
  });

const parse = (text: string): ReturnType<typeof readJson> => {
  try {
    return readJson(text);
  } catch (cause) {
    throw refused('The message is not valid JSON.', { cause });
  }
};

/**
 * Reads the message of an agent, within its limits of bytes and depth. A value that would be changed silently is refused.
 * @throws CodedError `invalid_request`
 */
export const readMessage = async (request: Request, response: Response): Promise<object> => {
  const text = await textOf(request, response);
  if (nestsDeeperThan(text, limits.bodyDepth)) {
    throw refused(`The message is nested deeper than ${limits.bodyDepth} levels.`);
  }
  const { json, issues } = parse(text);
  const [issue] = issues;
  if (issue)
    throw refused(`The message holds what cannot be kept: ${issue.path.join('.')} ${issue.message}.`);
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw refused('Send one message with each request, as a JSON object.');
  }
  return json;
};
