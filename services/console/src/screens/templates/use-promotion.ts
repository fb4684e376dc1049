import type { Promotion } from '@stanza/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/operations.ts';
import { ApiError, type Place } from '../../api/request.ts';
import { useActing } from '../../api/session-context.ts';
import { call } from '../../api/use-api.ts';
import { newId } from '../../editor/document/new-id.ts';

/** What is chosen, and how it is to be copied. */
export interface Choice {
  readonly keys: readonly string[];
  /** What becomes of the versions; `keep` leaves them as they are. */
  readonly afterwards: 'activate' | 'propose' | 'keep';
  readonly accepts: boolean;
}

/** A promotion that is done. */
export interface Promoted {
  readonly promotion: Promotion;
  /** How many versions wait for somebody else; undefined where they are not proposed. */
  readonly proposed?: number | undefined;
}

/** Proposes the versions that a promotion made; the same person gets the same proposal when that is repeated. */
const proposeNew = async (place: Place, { templates }: Promotion, key: string): Promise<number> => {
  let count = 0;
  for (const { has_new_version, template_id, version_id } of templates) {
    if (!has_new_version || template_id === null || version_id === null) continue;
    const idempotencyKey = `console-${key}-${version_id}`;
    await call(api.propose, place, { params: { id: template_id }, body: { version_id }, idempotencyKey });
    count += 1;
  }
  return count;
};

/** Looks at what a promotion would do, and does it. */
export const usePromotion = (from: Place['environment'], onDone: (promoted: Promoted) => void) => {
  const { place } = useActing();
  const queries = useQueryClient();
  const [requestKey, setKey] = useState(newId);
  const ask = ({ keys, afterwards, accepts }: Choice, dry_run: boolean) => {
    const activate = afterwards === 'activate';
    return call(
      api.promote,
      place,
      { body: { from, keys: [...keys], activate, dry_run, ...(activate && { accept_breaks: accepts }) } },
      { headers: { 'Idempotency-Key': `console-${dry_run ? newId() : requestKey}` } },
    );
  };
  const run = async (choice: Choice): Promise<Promoted> => {
    const promotion = await ask(choice, false).catch((error: unknown) => {
      // A request whose answer was lost is repeated as it was; after an answer the next one is another.
      if (error instanceof ApiError && error.status !== 0) setKey(newId());
      throw error;
    });
    if (choice.afterwards !== 'propose') return { promotion };
    return { promotion, proposed: await proposeNew(place, promotion, requestKey) };
  };
  return {
    look: useMutation({ mutationFn: (choice: Choice) => ask(choice, true) }),
    promote: useMutation({
      mutationFn: run,
      onSuccess: async (promoted) => {
        onDone(promoted);
        await queries.invalidateQueries({ queryKey: [place.organization, place.environment] });
      },
    }),
  };
};
