import type { getTemplate, ReplyOf, TemplateVersion, TemplateVersionSummary } from '@stanza/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { allPages } from '../../api/all-pages.ts';
import { api } from '../../api/operations.ts';
import type { Place } from '../../api/request.ts';
import { useActing } from '../../api/session-context.ts';
import { call } from '../../api/use-api.ts';

/** A template with the version that is live. */
export type TemplateAndLive = ReplyOf<typeof getTemplate>;

/** A template of this place, and its versions from the newest on. */
export interface Loaded {
  readonly template: TemplateAndLive;
  readonly versions: readonly TemplateVersionSummary[];
}

/** Reads one version with its content. */
export const readVersion = (place: Place, id: string, version_id: string): Promise<TemplateVersion> =>
  call(api.getVersion, place, { params: { id, version_id } });

const readTemplate = async (place: Place, id: string): Promise<Loaded> => {
  const [template, versions] = await Promise.all([
    call(api.getTemplate, place, { params: { id } }),
    allPages((query) => call(api.listVersions, place, { params: { id }, query })),
  ]);
  return { template, versions };
};

const keyOf = (place: Place, id: string) => [place.organization, place.environment, 'editor', id];

/** The template, read anew while it is looked at: others make versions of it live. */
export const useTemplate = (id: string) => {
  const { place } = useActing();
  return useQuery({
    queryKey: keyOf(place, id),
    queryFn: () => readTemplate(place, id),
    refetchInterval: 15_000,
  });
};

/** Reads what is shown of this place anew after a change. */
export const useRefresh = (): (() => Promise<void>) => {
  const { place } = useActing();
  const queries = useQueryClient();
  return async () => {
    await queries.invalidateQueries({ queryKey: [place.organization, place.environment] });
  };
};

/** Where a version with its content is kept. */
export const versionKey = (place: Place, templateId: string, versionId: string | null | undefined) => [
  ...keyOf(place, templateId),
  versionId,
];

/** A version with its content; nothing is asked without an id. */
export const useVersion = (templateId: string, versionId: string | null | undefined) => {
  const { place } = useActing();
  return useQuery({
    queryKey: versionKey(place, templateId, versionId),
    queryFn: () => readVersion(place, templateId, versionId ?? ''),
    enabled: typeof versionId === 'string',
    // A version never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
};
