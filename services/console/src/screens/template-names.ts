import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { allPages } from '../api/all-pages.ts';
import { api } from '../api/operations.ts';
import { useActing } from '../api/session-context.ts';
import { call } from '../api/use-api.ts';
import { useMay } from '../shell/allowed.tsx';
import { templateChoices } from '../shell/template-choices.ts';

/** Templates as choices, and their names by id; an id beyond those that were read is shown as it is. */
export const useTemplates = () => {
  const { place } = useActing();
  const { data, isLoading } = useQuery({
    queryKey: [place.organization, place.environment, 'all templates'],
    queryFn: ({ signal }) =>
      allPages((page) => call(api.listTemplates, place, { query: { ...page, sort: 'name' } }, { signal })),
    enabled: useMay('templates:read'),
    // A change in this page reads it again; that of another person may wait, since a large list is fifty pages.
    staleTime: 60_000,
  });
  return useMemo(() => {
    const templates = data ?? [];
    const choices = templateChoices(templates);
    const names = new Map(templates.map(({ id, name }) => [id, name]));
    const nameOf = (id: string): string => names.get(id) ?? `${id.slice(0, 8)}…`;
    /** The choices of a field, with the one that it has, which need not be among those that were read. */
    const optionsWith = (chosen: string): (readonly [string, string])[] => {
      return chosen === '' || names.has(chosen) ? choices : [[chosen, nameOf(chosen)], ...choices];
    };
    return { templates, nameOf, optionsWith, isLoading };
  }, [data, isLoading]);
};

/** Templates of the other environment, for names in what concerns both. */
export const useTemplatesElsewhere = (isNeeded: boolean) => {
  const { place } = useActing();
  const environment = place.environment === 'production' ? 'preview' : 'production';
  const other = { ...place, environment } as const;
  return useQuery({
    queryKey: [other.organization, other.environment, 'names of templates'],
    queryFn: ({ signal }) =>
      allPages((page) => call(api.listTemplates, other, { query: { ...page, sort: 'name' } }, { signal })),
    enabled: useMay('templates:read') && isNeeded,
    staleTime: 60_000,
  });
};
