import type { DraftSummary, TemplateDraft } from '@stanza/contracts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { api } from '../../api/operations.ts';
import { useActing } from '../../api/session-context.ts';
import { call } from '../../api/use-api.ts';
import type { Saved } from '../saved.ts';
import type { Authors } from '../use-authors.ts';
import type { Editing } from '../use-editing.ts';
import { type Loaded, useRefresh } from '../versions/api.ts';
import { readDraft } from './api.ts';
import { bodyOfScreen, documentOfDraft } from './draft-body.ts';
import type { DraftKeeper } from './draft-keeper.ts';

/** Milliseconds between two looks at what others do. */
const pollMs = 5_000;
/** Milliseconds for which somebody who wrote counts as there. */
const presentMs = 120_000;

/** Somebody else at the same template. */
export interface Other {
  readonly name: string;
  readonly at: string;
}

const otherIn = (draft: DraftSummary | null | undefined, { isMe, nameOf }: Authors): Other | undefined => {
  if (!draft || isMe(draft.updated_by)) return undefined;
  if (Date.now() - new Date(draft.updated_at).getTime() > presentMs) return undefined;
  return { name: nameOf(draft.updated_by), at: draft.updated_at };
};

/**
 * Follows the draft on the server: what somebody else wrote comes onto the screen where nothing of one's own waits, and
 * can be undone.
 */
export const useOthers = (
  { template, versions }: Loaded,
  saved: Saved,
  editing: Editing,
  keeper: DraftKeeper | undefined,
  authors: Authors,
): { other: Other | undefined; tookOver: boolean } => {
  const { place } = useActing();
  const refresh = useRefresh();
  const [tookOver, tell] = useState(false);
  const poll = useQuery({
    queryKey: ['draft of others', place, template.id],
    queryFn: async ({ signal }) => {
      const sentAt = performance.now();
      const { draft } = await call(api.getTemplate, place, { params: { id: template.id } }, { signal });
      return { draft, sentAt };
    },
    enabled: keeper !== undefined,
    refetchInterval: pollMs,
    retry: false,
  });
  const takeOver = useEffectEvent((draft: TemplateDraft | null): void => {
    if (draft === null) {
      keeper?.adopt(null, null);
      editing.take(saved.document, { trial: saved.trial, base: versions[0]?.id ?? null });
      void refresh();
      return;
    }
    const document = documentOfDraft(template, draft);
    const trial = draft.sample_data === null ? editing.trial : { ...editing.trial, data: draft.sample_data };
    keeper?.adopt(draft.revision, bodyOfScreen(document, template, trial.data, draft.base_version_id));
    editing.take(document, { trial, base: draft.base_version_id });
    tell(!authors.isMe(draft.updated_by));
  });
  const seen = poll.data;
  useEffect(() => {
    if (seen === undefined || keeper === undefined) return;
    const isNews = (): boolean => keeper.isNews(seen.draft ?? null, seen.sentAt);
    if (!isNews()) return;
    if (!seen.draft) takeOver(null);
    else {
      const read = async (): Promise<void> => {
        const draft = await readDraft(place, template.id);
        // While it was read, the person may have begun to write.
        if (isNews()) takeOver(draft);
      };
      // The next look asks again.
      void read().catch(() => undefined);
    }
  }, [seen, keeper, place, template.id]);
  return { other: otherIn(seen?.draft, authors), tookOver };
};
