import type { Order } from '../ui/table.tsx';
import { FilterSelect } from './filter-fields.tsx';
import { useFilters } from './use-filters.ts';

const changedLast = '-updated_at';

/** Chooses the order of a list of named things; the heads of its columns do so as well, where there is room for them. */
export const FilterOrder = () => (
  <FilterSelect
    name="order"
    label="Order"
    options={[
      ['', 'Changed last'],
      ['updated_at', 'Changed longest ago'],
      ['-created_at', 'Made last'],
      ['name', 'Name'],
      ['-name', 'Name, from Z to A'],
    ]}
  />
);

/** The order in the address, as the API takes it. */
export const useOrder = (): Order => {
  const { given, set } = useFilters();
  return {
    by: given('order') ?? changedLast,
    set: (order) => set({ order: order === changedLast ? '' : order }),
  };
};
