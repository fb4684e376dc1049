import { useQuery } from '@tanstack/react-query';
import { allPages } from '../api/all-pages.ts';
import { api } from '../api/operations.ts';
import { useActing } from '../api/session-context.ts';
import { call } from '../api/use-api.ts';

/** Destinations as choices, and for their names; the first thousand. */
export const useDestinations = () => {
  const { place } = useActing();
  return useQuery({
    queryKey: [place.organization, place.environment, 'all destinations'],
    queryFn: ({ signal }) =>
      allPages((page) => call(api.listDestinations, place, { query: page }, { signal })),
  });
};
