import type { Promotion } from '@stanza/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/operations.ts';
import type { Place } from '../../api/request.ts';
import { useRequestKey } from '../../api/request-key.ts';
import { useActing } from '../../api/session-context.ts';
import { call } from '../../api/use-api.ts';

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
    const idempotencyKey = `${key}-${version_id}`;
    await call(api.propose, place, { params: { id: template_id }, body: { version_id }, idempotencyKey });
    count += 1;
  }
  return count;
};

/** Looks at what a promotion would do, and does it. */
export const usePromotion = (from: Place['environment'], onDone: (promoted: Promoted) => void) => {
  const { place } = useActing();
  const queries = useQueryClient();
  const key = useRequestKey();
  const ask = (
    { keys, afterwards, accepts }: Choice,
    more: { dry_run: boolean },
    idempotencyKey?: string,
  ) => {
    const activate = afterwards === 'activate';
    const body = { from, keys: [...keys], activate, ...more, ...(activate && { accept_breaks: accepts }) };
    return call(api.promote, place, { body, ...(idempotencyKey !== undefined && { idempotencyKey }) });
  };
  const run = async (choice: Choice): Promise<Promoted> => {
    const requestKey = key.of(choice);
    const promotion = await ask(choice, { dry_run: false }, requestKey).catch((error: Error) => {
      key.failed(error);
      throw error;
    });
    if (choice.afterwards !== 'propose') return { promotion };
    return { promotion, proposed: await proposeNew(place, promotion, requestKey) };
  };
  return {
    look: useMutation({ mutationFn: (choice: Choice) => ask(choice, { dry_run: true }) }),
    promote: useMutation({
      mutationFn: run,
      onSuccess: async (promoted) => {
        onDone(promoted);
        await queries.invalidateQueries({ queryKey: [place.organization, place.environment] });
      },
    }),
  };
};
