import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useActing } from '../api/session-context.ts';
import { useForgetDeleted } from '../browser-drafts.ts';
import { isObject } from '../json.ts';
import { Empty, Failure, Loading } from '../ui/states.tsx';
import { useBrowserDraft } from './browser-draft.ts';
import { readDraft } from './drafts/api.ts';
import { openingOf } from './drafts/opening.ts';
import { Editor } from './editor.tsx';
import { type Saved, savedOf } from './saved.ts';
import { type Loaded, useTemplate, useVersion } from './versions/api.ts';

/** The editor of a template: its blocks, what they make of data, its versions. */
export const EditorScreen = ({ templateId }: { templateId: string }) => {
  const { place } = useActing();
  const store = useBrowserDraft(templateId);
  const loaded = useTemplate(templateId);
  useForgetDeleted(templateId, loaded.error);
  const newest = useVersion(templateId, loaded.data?.versions[0]?.id);
  // Read once for each visit: what comes later is followed by the editor itself.
  const [visit] = useState(() => performance.now());
  const draft = useQuery({
    queryKey: ['draft of a visit', place, templateId, visit],
    queryFn: ({ signal }) => readDraft(place, templateId, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const saved = useMemo(
    () =>
      loaded.data && newest.data
        ? savedOf(loaded.data, {
            blocks: newest.data.blocks,
            sample_data: isObject(newest.data.sample_data) ? newest.data.sample_data : null,
          })
        : undefined,
    [loaded.data, newest.data],
  );
  // While the next version is read after saving, the editor stays as it is.
  const [last, keep] = useState<{ id: string; saved: Saved; loaded: Loaded }>();
  if (saved && loaded.data && (last?.saved !== saved || last.loaded !== loaded.data)) {
    keep({ id: templateId, saved, loaded: loaded.data });
  }
  if (last?.id === templateId && draft.data !== undefined) {
    return (
      <Editor
        key={templateId}
        loaded={last.loaded}
        saved={last.saved}
        open={() => openingOf(last.loaded.template, last.saved, store.read(), draft.data)}
      />
    );
  }
  const failed = [loaded, newest, draft].find(({ isError }) => isError);
  if (failed?.error) return <Failure error={failed.error} onRetry={() => void failed.refetch()} isPage />;
  if (loaded.data?.versions.length === 0)
    return <Empty title="This template has no version">It cannot be edited here.</Empty>;
  return <Loading label="Loading the template" lines={8} />;
};
