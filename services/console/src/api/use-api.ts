import type { HttpOperation, InputOf, ReplyOf } from '@stanza/contracts';
import {
  type UseQueryResult,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useLayoutEffect, useRef } from 'react';
import { keptWithin } from './kept-answer.ts';
import type { Operation } from './operations.ts';
import { ApiError, type Place, type RequestOptions, request } from './request.ts';
import { isUnanswered, useRequestKey } from './request-key.ts';
import { useSay } from './say.ts';
import { useActing } from './session-context.ts';

/** The parts of a request; what the server has defaults for may be left out. */
export interface Input<O extends HttpOperation> {
  params?: InputOf<O>['params'];
  query?: Partial<
    Record<keyof NonNullable<InputOf<O>['query']> & string, string | number | boolean | undefined>
  >;
  body?: Partial<InputOf<O>['body']>;
  /** The name of a request that must happen once, however often it is sent. */
  idempotencyKey?: string;
}

const pathOf = (path: string, params: object = {}): string => {
  const values = new Map(Object.entries(params));
  return `/v1${path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values.get(name) ?? '')))}`;
};

/**
 * Calls an operation in a place.
 * @throws ApiError
 */
export const call = <O extends HttpOperation>(
  operation: Operation<O>,
  place: Place,
  { params, query, body, idempotencyKey }: Input<O>,
  more: Pick<RequestOptions, 'signal' | 'headers' | 'onTag'> = {},
): Promise<ReplyOf<O>> => {
  const address = pathOf(operation.path, params ?? {});
  const headers = {
    ...more.headers,
    ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
  };
  return request<ReplyOf<O>>(operation.method, address, {
    ...more,
    headers,
    place,
    query: query ?? {},
    body,
  });
};

/** How often an answer is read. */
export interface ReadOptions {
  /** Default: true. */
  enabled?: boolean;
  /** Refresh interval, in milliseconds, while the tab is visible; by default it refreshes when it is so again. */
  everyMs?: number;
  /** Milliseconds for which an answer is taken as it is; default: those of every question. */
  staleMs?: number;
}

/** The name of an answer in the cache, which its place is part of. */
const nameOf = <O extends HttpOperation>(place: Place, operation: Operation<O>, input: Input<O>) => [
  place.organization,
  place.environment,
  operation.id,
  input.params,
  input.query,
  input.body,
];

/** Reads an answer of the API, and keeps the one before on the screen while the next is on its way. */
export const useRead = <O extends HttpOperation>(
  operation: Operation<O>,
  input: Input<O> = {},
  { enabled = true, everyMs, staleMs }: ReadOptions = {},
) => {
  const { place } = useActing();
  return useQuery({
    queryKey: nameOf(place, operation, input),
    queryFn: ({ signal }) => call(operation, place, input, { signal }),
    enabled,
    placeholderData: keptWithin(place),
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
    ...(staleMs === undefined ? {} : { staleTime: staleMs }),
  });
};

const together = <T>(answers: readonly UseQueryResult<T>[]) => ({
  data: answers.flatMap(({ data }) => (data === undefined ? [] : [data])),
  isLoading: answers.some(({ isLoading }) => isLoading),
});

/** Reads answers of one operation to several questions; those that have come are its data. */
export const useReads = <O extends HttpOperation>(
  operation: Operation<O>,
  inputs: readonly Input<O>[],
  staleMs: number,
) => {
  const { place } = useActing();
  return useQueries({
    queries: inputs.map((input) => ({
      queryKey: nameOf(place, operation, input),
      queryFn: ({ signal }: { signal: AbortSignal }) => call(operation, place, input, { signal }),
      staleTime: staleMs,
    })),
    combine: together<ReplyOf<O>>,
  });
};

/** Refusals of what the screen offers, though it is no longer so. */
const outdated = new Set(['changed_meanwhile', 'invalid_state', 'not_found']);

/**
 * Changes something by the API and says so; what is on the screen is asked for again. A change whose answer was lost
 * happens once, however often it is asked for, until its form is left (`reset`).
 */
export const useChange = <O extends HttpOperation>(
  operation: Operation<O>,
  onDone?: (reply: ReplyOf<O>, input: Input<O>) => void,
  onRefused?: (error: ApiError) => void,
) => {
  const { place } = useActing();
  const queries = useQueryClient();
  const say = useSay();
  const key = useRequestKey();
  const isShown = useRef(false);
  useLayoutEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const showNow = () => queries.invalidateQueries({ queryKey: [place.organization, place.environment] });
  const change = useMutation({
    mutationFn: (input: Input<O>) =>
      // Operations that take no key ignore it.
      call(
        operation,
        place,
        operation.method === 'POST' ? { ...input, idempotencyKey: key.of(input) } : input,
      ),
    onSuccess: async (reply, input) => {
      key.end();
      onDone?.(reply, input);
      if (operation.done !== undefined) say(operation.done);
      await showNow();
    },
    onError: async (error) => {
      key.failed(error);
      if (error instanceof ApiError && !isUnanswered(error)) onRefused?.(error);
      // What is on the screen was changed or taken away elsewhere: the next try is made of what it is now.
      if (!(error instanceof ApiError && outdated.has(error.code))) return;
      await showNow();
      // The button may have gone, and its message with it.
      if (!isShown.current) say(error.message);
    },
  });
  const reset = (): void => {
    key.end();
    change.reset();
  };
  return { ...change, reset };
};
