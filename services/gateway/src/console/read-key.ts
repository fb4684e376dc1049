import { CodedError } from '@stanza/contracts';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { readJsonBytes } from '../http/json.ts';
import { openBodyMs, readBytes } from '../http/read-bytes.ts';

const keyInput = z.strictObject({ key: z.string().min(1).max(200) });

const rules = { limit: 4_096, withinMs: openBodyMs, what: 'body' };

const refused = (http_status: number): CodedError =>
  new CodedError('invalid_request', {
    message: 'The body is not JSON of the form {"key": "…"}.',
    http_status,
  });

/**
 * Reads the body of a sign-in with an API key.
 * @throws CodedError `invalid_request`, with 408, 413 or 415 where the body is too slow, too large or of another type
 */
export const readKey = async (request: Request, response: Response): Promise<string> => {
  if (!request.is('application/json')) throw new CodedError('unsupported_media_type');
  const input = keyInput.safeParse(readJsonBytes(await readBytes(request, response, rules), 'body').json);
  if (!input.success) throw refused(400);
  return input.data.key;
};
