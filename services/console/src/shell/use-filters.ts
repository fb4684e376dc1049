import { useNavigate, useSearch } from '@tanstack/react-router';

/** Filters of a list. They stand in the address, so that a filtered list can be sent to a colleague. */
export const useFilters = () => {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const value = (name: string): string => {
    const found = search[name];
    return found === undefined || found === null ? '' : String(found);
  };
  return {
    value,
    /** For the API: nothing where the filter is not set. */
    given: (name: string): string | undefined => value(name) || undefined,
    /** Whether one of these filters is set: a list without rows then says that nothing matches. */
    isSet: (...names: readonly string[]): boolean => names.some((name) => value(name) !== ''),
    offset: Number(value('offset')) || 0,
    /** Sets filters; the list begins at its start again unless the offset is what is set. */
    set: (changes: Readonly<Record<string, string | number>>): void => {
      const next = Object.entries({ ...search, offset: '', cursor: '', ...changes })
        .map(([name, it]) => [name, String(it ?? '')] as const)
        .filter(([name, it]) => it !== '' && !(name === 'offset' && it === '0'));
      void navigate({ to: '.', search: Object.fromEntries(next), replace: true });
    },
  };
};
