import { useMemo } from 'react';
import { api } from '../api/operations.ts';
import { useRead } from '../api/use-api.ts';
import { useMay } from '../shell/allowed.tsx';

/** Templates as choices, and their names by id; an id beyond the first hundred is shown as it is. */
export const useTemplates = () => {
  const mayRead = useMay('templates:read');
  const { data } = useRead(api.listTemplates, { query: { limit: 100, sort: 'name' } }, { enabled: mayRead });
  return useMemo(() => {
    const templates = data?.data ?? [];
    const names = new Map(templates.map(({ id, name }) => [id, name]));
    const nameOf = (id: string): string => names.get(id) ?? `${id.slice(0, 8)}…`;
    /** The choices of a field, with the one that it has, which need not be among the first hundred. */
    const optionsWith = (chosen: string): (readonly [string, string])[] => {
      const listed = templates.map(({ id, name }) => [id, name] as const);
      return chosen === '' || names.has(chosen) ? listed : [[chosen, nameOf(chosen)], ...listed];
    };
    return { templates, nameOf, optionsWith };
  }, [data]);
};
