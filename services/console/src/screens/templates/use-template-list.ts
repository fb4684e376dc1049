import type { Template } from '@stanza/contracts';
import { useQuery } from '@tanstack/react-query';
import { keptWithin } from '../../api/kept-answer.ts';
import { api } from '../../api/operations.ts';
import { useActing } from '../../api/session-context.ts';
import { call } from '../../api/use-api.ts';
import { useOrder } from '../../shell/order.tsx';
import { useFilters } from '../../shell/use-filters.ts';
import type { Page } from '../../ui/listing.tsx';

/** States of a template, as people see them. */
export type TemplateState = 'draft' | 'live' | 'archived';

/** A draft has no live version; an archived template is not sent, whatever was live. */
export const stateOf = ({ lifecycle, current_version_id }: Template): TemplateState => {
  if (lifecycle === 'archived') return 'archived';
  return current_version_id === null ? 'draft' : 'live';
};

const pageSize = 25;

/** The templates that the filters in the address leave. */
export const useTemplateList = () => {
  const { place } = useActing();
  const { given, offset } = useFilters();
  const q = given('q');
  const state = given('state');
  const { by: sort } = useOrder();
  return useQuery({
    queryKey: [place.organization, place.environment, 'templates of a state', q, state, sort, offset],
    queryFn: ({ signal }): Promise<Page<Template>> => {
      const lifecycle = state === 'archived' ? 'archived' : 'active';
      const live = state === 'draft' || state === 'live' ? { live: String(state === 'live') } : {};
      const query = { q, lifecycle, ...live, limit: pageSize, offset, sort };
      return call(api.listTemplates, place, { query }, { signal });
    },
    placeholderData: keptWithin(place),
  });
};
