import { type ParsedUrlQuery, parse } from 'node:querystring';
import { CodedError } from '@stanza/contracts';

/** Reads a query as strictly as a path. Node takes a broken escape as it stands, and the request would look for another text. */
export const readQuery = (text: string): ParsedUrlQuery => {
  try {
    decodeURIComponent(text);
  } catch (cause) {
    const message = 'The query contains an invalid percent escape; write a percent sign as %25.';
    throw new CodedError('invalid_request', { message }, { cause });
  }
  return parse(text);
};
