import { type ComponentProps, useState } from 'react';
import { SelectField, TextField } from '../ui/field.tsx';
import { useFilters } from './use-filters.ts';

/** The name under which a filter stands in the address. */
interface Named {
  name: string;
}

/** A filter of a list that is typed. */
export const FilterText = ({ name, ...rest }: Named & Omit<ComponentProps<typeof TextField>, 'name'>) => {
  const { value, set } = useFilters();
  // The address follows a moment later. A field that showed what it says would lose its caret, and a date its year.
  const [typed, type] = useState<string>();
  return (
    <TextField
      type="search"
      {...rest}
      value={typed ?? value(name)}
      onBlur={() => type(undefined)}
      onChange={({ target }) => {
        type(target.value);
        // The year is typed digit by digit: 0002 is the start of one.
        if (rest.type !== 'date' || !target.value.startsWith('0')) set({ [name]: target.value });
      }}
    />
  );
};

/** A filter of a list that is chosen. */
export const FilterSelect = ({ name, ...rest }: Named & Omit<ComponentProps<typeof SelectField>, 'name'>) => {
  const { value, set } = useFilters();
  return (
    <SelectField value={value(name)} onChange={({ target }) => set({ [name]: target.value })} {...rest} />
  );
};

/** The first and the last day of what a list shows, as `from` and `to`. */
export const FilterDays = () => (
  <>
    <FilterText name="from" label="From" type="date" />
    <FilterText name="to" label="To" type="date" />
  </>
);
