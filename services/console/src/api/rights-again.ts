import type { QueryClient } from '@tanstack/react-query';
import { isList, isObject } from '../json.ts';
import { ApiError } from './request.ts';

const scopesIn = (value: unknown): readonly unknown[] =>
  isObject(value) && isList(value.scopes) ? value.scopes : [];

/**
 * Asks again what the caller may do, where the server refuses what they could do when it was asked last: their role was
 * changed since, or they are not a member any more. Other refusals are known already, and ask nothing.
 */
export const askRightsAgain = (queries: QueryClient, error: Error): void => {
  if (!(error instanceof ApiError) || error.status !== 403) return;
  const needed = error.body.required_scopes;
  if (!isList(needed)) return;
  const known = queries.getQueriesData({ queryKey: ['rights'] }).flatMap(([, value]) => scopesIn(value));
  if (!needed.some((scope) => known.includes(scope))) return;
  void queries.invalidateQueries({ queryKey: ['rights'] });
  void queries.invalidateQueries({ queryKey: ['memberships'] });
};
