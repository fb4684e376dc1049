import type { TemplateVersion } from '@stanza/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiError } from '../../api/request.ts';
import { useActing } from '../../api/session-context.ts';
import type { Edition } from '../document/history.ts';
import { saveDraft } from '../drafts/api.ts';
import type { DraftKeeper } from '../drafts/draft-keeper.ts';
import type { Editing } from '../use-editing.ts';
import { type Loaded, useRefresh, versionKey } from './api.ts';

/** How what is on the screen becomes a version. */
export interface SaveOptions {
  note: string;
  /** Settings of the template stay, with which messages of its live version are made. */
  keepSettings: boolean;
}

/** Makes a version of what is on the screen, by its draft. A request whose answer was lost makes no second version. */
export const useSaveScreen = (
  { template }: Loaded,
  editing: Editing,
  keeper: DraftKeeper | undefined,
): ((options: SaveOptions) => Promise<TemplateVersion>) => {
  const { place } = useActing();
  const queries = useQueryClient();
  const refresh = useRefresh();
  const asked = useRef<{ of: Edition; revision: number }>(undefined);

  const saveOnce = async (by: DraftKeeper, { note, keepSettings }: SaveOptions) => {
    asked.current ??= { of: editing.present, revision: await by.put(editing.drafted) };
    const { of, revision } = asked.current;
    by.hold(true);
    try {
      const version = await saveDraft(place, template.id, {
        expected_revision: revision,
        ...(note.trim() !== '' && { note: note.trim() }),
        ...(keepSettings && { keep_settings: true }),
      });
      return { of, version };
    } catch (error) {
      // Only a request without an answer is asked once more as it was.
      if (!(error instanceof ApiError) || (error.status >= 400 && error.status < 500))
        asked.current = undefined;
      by.hold(false);
      throw error;
    }
  };

  return async (options) => {
    if (keeper === undefined) throw new TypeError('a version is saved by those who may write drafts');
    const { of, version } = await saveOnce(keeper, options);
    asked.current = undefined;
    keeper.adopt(null, null);
    queries.setQueryData(versionKey(place, template.id, version.id), version);
    editing.keep(of, { ...of.document, blocks: version.blocks }, version.id);
    await refresh();
    keeper.hold(false);
    return version;
  };
};
