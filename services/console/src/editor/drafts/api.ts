import type { TemplateDraft, TemplateVersion } from '@stanza/contracts';
import { api } from '../../api/operations.ts';
import { ApiError, type Place } from '../../api/request.ts';
import { call } from '../../api/use-api.ts';
import type { DraftCalls } from './draft-keeper.ts';

/**
 * Reads the draft of a template; null where there is none. The template says so: a request for a draft that is not there
 * would be an error on the console of the browser.
 */
export const readDraft = async (
  place: Place,
  id: string,
  signal?: AbortSignal,
): Promise<TemplateDraft | null> => {
  const more = signal ? { signal } : {};
  const params = { id };
  const { draft } = await call(api.getTemplate, place, { params }, more);
  if (draft === null) return null;
  try {
    return await call(api.getDraft, place, { params }, more);
  } catch (error) {
    // It was saved or discarded between the two.
    if (error instanceof ApiError && error.code === 'not_found') return null;
    throw error;
  }
};

/** The calls by which the draft of a template is kept. */
export const draftCalls = (place: Place, id: string): DraftCalls => ({
  read: () => readDraft(place, id),
  write: (body, expected_revision) =>
    call(api.putDraft, place, {
      params: { id },
      body: JSON.parse(JSON.stringify({ ...body, expected_revision })),
    }),
  discard: async (expected_revision) => {
    await call(api.discardDraft, place, { params: { id }, query: { expected_revision } });
  },
});

/** How a draft becomes a version. */
export interface Saving {
  readonly expected_revision: number;
  readonly note?: string;
  readonly keep_settings?: boolean;
}

/** Makes the draft a version; made once more, the answer is the same version. */
export const saveDraft = (place: Place, id: string, body: Saving): Promise<TemplateVersion> =>
  call(api.saveDraft, place, { params: { id }, body });
