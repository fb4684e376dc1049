import { useMemo } from 'react';
import { api } from '../api/operations.ts';
import { useRead } from '../api/use-api.ts';
import { useMay } from './allowed.tsx';
import type { ChatNames } from './target-names.ts';

const fewMinutes = 5 * 60_000;
const query = { limit: 100 };

/** Channels and people of the workspace, the first hundred of each; none where there is nothing to name. */
export const useChatNames = (isNeeded: boolean): ChatNames & { areLoading: boolean } => {
  const enabled = useMay('messages:create') && isNeeded;
  const channels = useRead(api.listChannels, { query }, { enabled, staleMs: fewMinutes });
  const people = useRead(api.listPeople, { query }, { enabled, staleMs: fewMinutes });
  const areLoading = channels.isLoading || people.isLoading;
  return useMemo(
    () => ({ channels: channels.data?.data ?? [], people: people.data?.data ?? [], areLoading }),
    [channels.data, people.data, areLoading],
  );
};
