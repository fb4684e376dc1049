import type { HttpOperation, ReplyOf } from '@stanza/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Operation } from '../../api/operations.ts';
import { ApiError } from '../../api/request.ts';
import { useActing } from '../../api/session-context.ts';
import { call, type Input } from '../../api/use-api.ts';
import { newId } from '../document/new-id.ts';

/** A request is made once however often it is asked for; the next one after an answer is another one. */
export const useRequestKey = (): { current: () => string; renew: () => void } => {
  const [key, setKey] = useState(newId);
  return { current: () => key, renew: () => setKey(newId()) };
};

/** Posts something once by the API; what is on the screen is asked for again. */
export const usePosting = <O extends HttpOperation>(
  operation: Operation<O>,
  onDone?: (reply: ReplyOf<O>) => void,
  onRefused?: (error: ApiError) => void,
) => {
  const { place } = useActing();
  const queries = useQueryClient();
  const key = useRequestKey();
  return useMutation({
    mutationFn: (input: Input<O>) =>
      call(operation, place, input, { headers: { 'Idempotency-Key': `console-${key.current()}` } }),
    onSuccess: async (reply) => {
      onDone?.(reply);
      await queries.invalidateQueries({ queryKey: [place.organization, place.environment] });
    },
    onError: (error) => {
      // An answer that was lost belongs to the same request; any other one ends it.
      if (!(error instanceof ApiError) || error.status === 0) return;
      key.renew();
      onRefused?.(error);
    },
  });
};
