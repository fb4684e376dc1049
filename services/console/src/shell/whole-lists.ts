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

/** The other environment; undefined for a session of a key, which knows its own alone. */
export const useElsewhere = (): Place | undefined => {
  const { place, session } = useActing();
  if (session.kind === 'key') return undefined;
  return { ...place, environment: place.environment === 'production' ? 'preview' : 'production' };
};

/** All rows of a list, as choices and for their names; as many as {@link allPages} reads. Those of this place by default. */
const useWhole = <Row>(name: string, read: Read<Row>, enabled: boolean, elsewhere?: Place) => {
  const { place: here } = useActing();
  const place = elsewhere ?? here;
  return useQuery({
    queryKey: [place.organization, place.environment, 'all', name],
    queryFn: ({ signal }) => allPages((page) => read(place, page, { signal })),
    enabled,
    // A change in this page reads it again; that of another person may wait, since a large list is fifty pages.
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

/** Templates by name, of this place or another. */
export const useTemplateList = (enabled = true, at?: Place) =>
  useWhole(
    'templates',
    (place, page, more) => call(api.listTemplates, place, { query: { ...page, sort: 'name' } }, more),
    enabled,
    at,
  );

/** Destinations of this place or another. */
export const useDestinations = (enabled = true, at?: Place) =>
  useWhole(
    'destinations',
    (place, query, more) => call(api.listDestinations, place, { query }, more),
    enabled,
    at,
  );

/** Queues of this place or another. */
export const useQueues = (enabled = true, at?: Place) =>
  useWhole('queues', (place, query, more) => call(api.listQueues, place, { query }, more), enabled, at);

/** Schedules of this place or another. */
export const useSchedules = (enabled = true, at?: Place) =>
  useWhole('schedules', (place, query, more) => call(api.listSchedules, place, { query }, more), enabled, at);

/** Modals of this place or another. */
export const useModals = (enabled = true, at?: Place) =>
  useWhole('modals', (place, query, more) => call(api.listModals, place, { query }, more), enabled, at);

/** Members of the organization. */
export const useMembers = (enabled = true) =>
  useWhole(
    'members',
    (place, query, more) => call(api.listMembers, place, { params: { id: place.organization }, query }, more),
    enabled,
  );
