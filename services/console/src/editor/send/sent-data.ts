import type { MessageDetails } from '@stanza/contracts';
import { useQueryClient } from '@tanstack/react-query';
import type { Place } from '../../api/request.ts';
import { useActing } from '../../api/session-context.ts';
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
