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

const bothEnvironments: readonly Place['environment'][] = ['production', 'preview'];

/** All rows of a list, as choices and for their names; as many as {@link allPages} reads. */
const useWhole = <Row>(name: string, read: Read<Row>, enabled: boolean) => {
  const { place } = useActing();
  return useQuery({
    queryKey: [place.organization, place.environment, 'all', name],
    queryFn: ({ signal }) => allPages((page) => read(place, page, { signal })),
    enabled,
    staleTime: 60_000,
  });
};

/**
 * API keys of both environments, those that are revoked as well: what a key has done stays. A session of a key sees those
 * of its own environment. Read only where the caller may see them.
 */
export const useKeys = (isNeeded = true) => {
  const { place, session, may } = useActing();
  return useQuery({
    queryKey: [place.organization, place.environment, 'all', 'keys'],
    queryFn: async ({ signal }) => {
      const environments = session.kind === 'key' ? [place.environment] : bothEnvironments;
      const lists = environments.map((environment) =>
        allPages((page) => call(api.listKeys, place, { query: { ...page, environment } }, { signal })),
      );
      return (await Promise.all(lists)).flat();
    },
    enabled: isNeeded && may('api-keys:read'),
    staleTime: 60_000,
  });
};

/** Destinations of this place. */
export const useDestinations = (enabled = true) =>
  useWhole(
    'destinations',
    (place, query, more) => call(api.listDestinations, place, { query }, more),
    enabled,
  );

/** Queues of this place. */
export const useQueues = (enabled = true) =>
  useWhole('queues', (place, query, more) => call(api.listQueues, place, { query }, more), enabled);

/** Schedules of this place. */
export const useSchedules = (enabled = true) =>
  useWhole('schedules', (place, query, more) => call(api.listSchedules, place, { query }, more), enabled);

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
