import { useQuery } from '@tanstack/react-query';
import { allPages, type OffsetPage } from '../api/all-pages.ts';
import { api } from '../api/operations.ts';
import type { Place, RequestOptions } from '../api/request.ts';
import { useActing } from '../api/session-context.ts';
import { call } from '../api/use-api.ts';

type Read<Row> = (
  place: Place,
  query: { limit: number; offset: number },
  more: Pick<RequestOptions, 'signal'>,
) => Promise<OffsetPage<Row>>;

/** All rows of a list, as choices and for their names; the first thousand. */
const useWhole = <Row>(name: string, read: Read<Row>, enabled: boolean) => {
  const { place } = useActing();
  return useQuery({
    queryKey: [place.organization, place.environment, 'all', name],
    queryFn: ({ signal }) => allPages((page) => read(place, page, { signal })),
    enabled,
  });
};

/** Destinations of this place. */
export const useDestinations = (enabled = true) =>
  useWhole(
    'destinations',
    (place, query, more) => call(api.listDestinations, place, { query }, more),
    enabled,
  );

/** Modals of this place. */
export const useModals = (enabled = true) =>
  useWhole('modals', (place, query, more) => call(api.listModals, place, { query }, more), enabled);

/** Members of the organization. */
export const useMembers = (enabled = true) =>
  useWhole(
    'members',
    (place, query, more) => call(api.listMembers, place, { params: { id: place.organization }, query }, more),
    enabled,
  );
