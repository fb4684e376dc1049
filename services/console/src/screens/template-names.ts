import { useMemo } from 'react';
import { useMay } from '../shell/allowed.tsx';
import { templateChoices } from '../shell/template-choices.ts';
import { useElsewhere, useTemplateList } from '../shell/whole-lists.ts';

/** Templates as choices, and their names by id; an id beyond those that were read is shown as it is. */
export const useTemplates = () => {
  const { data, isLoading } = useTemplateList(useMay('templates:read'));
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

/** Templates of the other environment, for names in what concerns both; a key knows its own environment alone. */
export const useTemplatesElsewhere = (isNeeded: boolean) => {
  const elsewhere = useElsewhere();
  return useTemplateList(useMay('templates:read') && isNeeded && elsewhere !== undefined, elsewhere);
};
