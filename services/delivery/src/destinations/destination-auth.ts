import { type Destination, validationFailed } from '@stanza/contracts';

const schemes = { bearer: /^Bearer +\S+$/i, basic: /^Basic +[A-Za-z0-9+/=_-]+$/i } as const;

/**
 * Checks that the headers match `auth_type`.
 * @throws CodedError `validation_failed` without any header value
 */
export const checkAuth = (
  authType: Destination['auth_type'],
  headers: Readonly<Record<string, string>>,
): void => {
  if (authType !== 'bearer' && authType !== 'basic') return;
  const [, given] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization') ?? [];
  if (given !== undefined && schemes[authType].test(given)) return;
  const scheme = authType === 'bearer' ? 'Bearer <token>' : 'Basic <base64 of user:password>';
  const message = `auth_type ${authType} needs a header Authorization: ${scheme}`;
  throw validationFailed([{ code: 'custom', path: ['headers'], message }]);
};
