import { CodedError } from '@stanza/contracts';
import express, { type Request, type Response } from 'express';
import { z } from 'zod';

const keyInput = z.strictObject({ key: z.string().min(1).max(200) });

const parse = express.json({ limit: '4kb' });

/** What express says of a body that it does not read. */
const refusal = z.object({ status: z.union([z.literal(400), z.literal(413), z.literal(415)]) });

const refused = (error: unknown): unknown => {
  const known = refusal.safeParse(error);
  if (!known.success) return error;
  const message = 'The body is not JSON of the form {"key": "…"}.';
  return new CodedError('invalid_request', { message, http_status: known.data.status }, { cause: error });
};

/**
 * Reads the body of a sign-in with an API key.
 * @throws CodedError `invalid_request`, with 413 or 415 where the body is too large or of another type
 */
export const readKey = async (request: Request, response: Response): Promise<string> => {
  await new Promise<void>((resolve, reject) => {
    parse(request, response, (error?: unknown) => (error ? reject(refused(error)) : resolve()));
  });
  const input = keyInput.safeParse(request.body);
  if (!input.success) throw refused({ status: 400 });
  return input.data.key;
};
