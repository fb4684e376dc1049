import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/operations.ts';
import { useActing } from '../../api/session-context.ts';
import { call } from '../../api/use-api.ts';
import { useMay } from '../../shell/allowed.tsx';
import { TextField } from '../../ui/field.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import { freeKey, keyOfName } from './key-of-name.ts';

/** The key of a template to be made: of its name and free, until another is written. */
export const useNewKey = (name: string) => {
  const { place } = useActing();
  const mayRead = useMay('templates:read');
  const [typed, type] = useState('');
  const wanted = name.trim() === '' ? '' : keyOfName(name);
  const settled = useSettled(wanted);
  const free = useQuery({
    queryKey: [place.organization, place.environment, 'free-key', settled],
    queryFn: ({ signal }) =>
      freeKey(settled, async (key) => {
        const { data } = await call(api.listTemplates, place, { query: { key, limit: 1 } }, { signal });
        return data.length > 0;
      }),
    enabled: mayRead && settled !== '',
    staleTime: 0,
  });
  const found = settled === wanted && !free.isFetching ? free.data : undefined;
  const key = typed || found;
  return {
    shown: typed || (found ?? wanted),
    type,
    /** For the request; the server makes one that is free where it is not known yet. */
    body: key === undefined ? {} : { key },
  };
};

/** Shows the key before anything is made, to be changed. */
export const NewKey = ({ of: { shown, type } }: { of: ReturnType<typeof useNewKey> }) => (
  <TextField
    label="Key"
    pattern="[a-z0-9]([a-z0-9\-]*[a-z0-9])?"
    title="Lower-case letters, digits and hyphens"
    maxLength={100}
    autoComplete="off"
    spellCheck={false}
    placeholder="Made of the name"
    hint="Programs send the template by it. It can be changed until a version is live."
    value={shown}
    onChange={({ target }) => type(target.value)}
  />
);
