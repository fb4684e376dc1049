import {
  CodedError,
  type Environment,
  type Principal,
  type Promotion,
  reachesBoth,
  type Scope,
  sourceAuthorizationHeader,
  validationFailed,
} from '@stanza/contracts';
import type { CallContext } from '@stanza/runtime';
import type { Source } from './source.ts';

const lacking = (
  message: string,
  required: readonly Scope[],
  { scopes }: Pick<Principal, 'scopes'>,
): CodedError =>
  new CodedError('insufficient_scope', {
    message,
    required_scopes: [...required],
    user_scopes: [...scopes],
  });

/**
 * Who reads the environment that is promoted from: the person of the session, whose role holds in both, or the holder
 * of that environment's key.
 * @throws CodedError `validation_failed` for the environment of the request itself, `access_denied` without such a key
 */
export const sourcePrincipal = (
  from: Environment,
  principal: Principal,
  { source }: Pick<CallContext, 'source'>,
): Principal => {
  if (from === principal.environment) {
    const message = `is the environment of the request; promote to ${from} from the other one`;
    throw validationFailed([{ code: 'custom', path: ['from'], message }]);
  }
  if (source?.environment === from) return source;
  if (!source && reachesBoth(principal)) return { ...principal, environment: from };
  throw new CodedError('access_denied', {
    message: `A key reaches one environment: send a key of ${from} in ${sourceAuthorizationHeader}, or use a session.`,
    required_scopes: ['templates:read'],
    user_scopes: [...(source?.scopes ?? [])],
  });
};

/**
 * Checks that what is copied may be read.
 * @throws CodedError `insufficient_scope`
 */
export const checkReading = (reader: Principal, { templates, entities }: Source): void => {
  const required: Scope[] = [
    'templates:read',
    ...(entities.length > 0 ? (['entities:read'] as const) : []),
    ...(templates.some(({ samples }) => samples.length > 0) ? (['sample-data:read'] as const) : []),
  ];
  const missing = required.filter((scope) => !reader.scopes.includes(scope));
  if (missing.length === 0) return;
  throw lacking(`Reading ${reader.environment} requires ${missing.join(', ')}.`, required, reader);
};

/**
 * Checks that what a promotion writes may be written; what it leaves as it is takes no scope.
 * @throws CodedError `insufficient_scope`
 */
export const checkWriting = (writer: Principal, { templates, entities }: Promotion): void => {
  const some = (scope: Scope, isTaken: boolean): Scope[] => (isTaken ? [scope] : []);
  const required: Scope[] = [
    'templates:create',
    ...some(
      'templates:update',
      templates.some(({ action }) => action === 'updated'),
    ),
    ...some(
      'templates:activate',
      templates.some((it) => it.is_activated),
    ),
    ...some(
      'entities:write',
      entities.some(({ action }) => action !== 'unchanged'),
    ),
    ...some(
      'sample-data:write',
      templates.some(({ samples }) => samples.created + samples.updated > 0),
    ),
  ];
  const missing = required.filter((scope) => !writer.scopes.includes(scope));
  if (missing.length === 0) return;
  throw lacking(`Writing ${writer.environment} requires ${missing.join(', ')}.`, required, writer);
};
