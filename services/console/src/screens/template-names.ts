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
    return { templates, nameOf: (id: string): string => names.get(id) ?? `${id.slice(0, 8)}…` };
  }, [data]);
};
