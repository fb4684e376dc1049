import { useQueryClient } from '@tanstack/react-query';
import type { Place } from '../../api/request.ts';
import { useActing } from '../../api/session-context.ts';
import type { Trial } from '../data/data-region.tsx';

/** What this page has sent, by message and revision, until the page is left: the service keeps no data of messages. */
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
  return {
    keep: (message: string, revision: number, trial: Trial): void => {
      queries.setQueryDefaults([sentData], { gcTime: Number.POSITIVE_INFINITY });
      queries.setQueryData(keyOf(place, message, revision), trial);
    },
    of: (message: string, revision: number): Trial | undefined =>
      queries.getQueryData<Trial>(keyOf(place, message, revision)),
  };
};
