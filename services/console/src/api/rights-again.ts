import type { QueryClient } from '@tanstack/react-query';
import { isList, isObject } from '../json.ts';
import { ApiError } from './request.ts';

const scopesIn = (value: unknown): readonly unknown[] =>
  isObject(value) && isList(value.scopes) ? value.scopes : [];

/**
 * Asks again what the caller may do, where the server refuses what they could do when it was asked last: their role was
 * changed since, or they are not a member any more. Other refusals are known already, and ask nothing.
 */
export const refreshRights = (queries: QueryClient, error: Error): void => {
  if (!(error instanceof ApiError) || error.status !== 403) return;
  const { required_scopes: needed, user_scopes: own } = error.body;
  if (!isList(needed) || !isList(own)) return;
  const known = queries.getQueriesData({ queryKey: ['rights'] }).flatMap(([, value]) => scopesIn(value));
  // Who has no scopes left is no member any more.
  const isOld = needed.some((scope) => known.includes(scope)) || (own.length === 0 && known.length > 0);
  if (!isOld) return;
  void queries.invalidateQueries({ queryKey: ['rights'] });
  void queries.invalidateQueries({ queryKey: ['memberships'] });
};
