import { useMemo } from 'react';
import { api } from '../api/operations.ts';
import { useRead, useReads } from '../api/use-api.ts';
import { useMay } from './allowed.tsx';
import { type ChatNames, soughtAmong } from './target-names.ts';

const fewMinutes = 5 * 60_000;
const limit = 100;

/**
 * Channels and people of the workspace: the first hundred of each, and those beyond that are sought. None where there is
 * nothing to name.
 * @param sought ids and names that are on the screen
 */
export const useChatNames = (
  isNeeded: boolean,
  sought: readonly (string | null | undefined)[] = [],
): ChatNames & { areLoading: boolean } => {
  const enabled = useMay('messages:create') && isNeeded;
  const options = { enabled, staleMs: fewMinutes };
  const channels = useRead(api.listChannels, { query: { limit } }, options);
  const people = useRead(api.listPeople, { query: { limit } }, options);
  const beyond = soughtAmong(sought, channels.data, people.data);
  const inputOf = (q: string) => ({ query: { q, limit } });
  const moreChannels = useReads(api.listChannels, beyond.channels.map(inputOf), fewMinutes);
  const morePeople = useReads(api.listPeople, beyond.people.map(inputOf), fewMinutes);
  const areLoading = [channels, people, moreChannels, morePeople].some((it) => it.isLoading);
  return useMemo(
    () => ({
      channels: [...(channels.data?.data ?? []), ...moreChannels.data.flatMap(({ data }) => data)],
      people: [...(people.data?.data ?? []), ...morePeople.data.flatMap(({ data }) => data)],
      areLoading,
    }),
    [channels.data, people.data, moreChannels.data, morePeople.data, areLoading],
  );
};
