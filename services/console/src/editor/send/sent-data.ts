import type { MessageDetails } from '@stanza/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../../api/operations.ts';
import type { Place } from '../../api/request.ts';
import { useActing } from '../../api/session-context.ts';
import { useRead } from '../../api/use-api.ts';
import { useMay } from '../../shell/allowed.tsx';
import type { Trial } from '../data/data-region.tsx';

/** What this page has sent, by message or request and revision, until the page is left: the service keeps no data of messages. */
const sentData = 'sent-data';

const keyOf = (place: Place, message: string, revision: number) => [
  sentData,
  place.organization,
  place.environment,
  message,
  revision,
];

/** Keeps with which data a message was posted or updated here, and finds it again. */
export const useSentData = () => {
  const { place } = useActing();
  const queries = useQueryClient();
  const put = (key: ReturnType<typeof keyOf>, trial: Trial): void => {
    queries.setQueryDefaults([sentData], { gcTime: Number.POSITIVE_INFINITY });
    queries.setQueryData(key, trial);
  };
  return {
    keep: (message: string, revision: number, trial: Trial): void =>
      put(keyOf(place, message, revision), trial),
    /** With which data a request was refused, whose message the log may have as failed. */
    keepRefused: (request: string, trial: Trial): void => put(keyOf(place, request, 1), trial),
    of: (
      { id, request_id }: Pick<MessageDetails, 'id' | 'request_id'>,
      revision: number,
    ): Trial | undefined =>
      queries.getQueryData<Trial>(keyOf(place, id, revision)) ??
      (revision === 1 ? queries.getQueryData<Trial>(keyOf(place, request_id, 1)) : undefined),
  };
};

/** The data that a schedule has now, for a message that it made and that was not updated; undefined for others. */
const useScheduled = ({ id, template_id, revision, revisions }: MessageDetails): Trial | undefined => {
  const schedule = /^schedule:(.+)$/.exec(revisions[0]?.actor ?? '')?.[1];
  const enabled = useMay('messages:create') && schedule !== undefined && revision === 1;
  const { data } = useRead(api.getSchedule, { params: { id: schedule ?? '' } }, { enabled });
  return useMemo(() => {
    // It may send another template by now, which reads other data.
    if (data === undefined || data.template_id !== template_id) return undefined;
    const run = data.runs.find(({ message_id }) => message_id === id);
    return {
      data: { ...(run && { schedule: { due_at: run.due_at } }), ...data.data },
      locale: '',
      timezone: '',
    };
  }, [data, id, template_id]);
};

/** With which data a message was made: as it was sent from this page, or as its schedule has it now. */
export const useKnownData = (
  message: MessageDetails,
): { known: Trial | undefined; from: 'page' | 'schedule' } => {
  const sent = useSentData().of(message, message.revision);
  const scheduled = useScheduled(message);
  return { known: sent ?? scheduled, from: sent ? 'page' : 'schedule' };
};
