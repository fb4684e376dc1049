import { useEffect, useMemo, useState } from 'react';
import { useActing } from '../shell/session-context.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Empty, Failure, Loading } from '../ui/states.tsx';
import { textOf } from './document/document.ts';
import { isObject } from './document/pointer.ts';
import styles from './editor.module.css';
import type { Sender } from './preview.tsx';
import { type Opened, Toolbar } from './toolbar.tsx';
import { type Saved, savedOf, useEditing } from './use-editing.ts';
import { type Loaded, useTemplate, useVersion } from './versions/api.ts';
import { BeforeAfter } from './versions/before-after.tsx';
import { HistoryDialog } from './versions/history-dialog.tsx';
import { MakeLive } from './versions/make-live.tsx';
import { SaveVersion } from './versions/save-version.tsx';
import { useGiven, Workbench } from './workbench.tsx';

const Editor = ({ loaded, saved }: { loaded: Loaded; saved: Saved }) => {
  const { template } = loaded;
  const { scopes } = useActing();
  const editing = useEditing(template.id, saved);
  const { document } = editing.present;
  const given = useGiven(editing);
  const [opened, open] = useState<Opened>();
  const username = textOf(document, 'user_name');
  const icon = textOf(document, 'icon_emoji');
  const sender = useMemo<Sender>(
    () => ({
      ...(username !== '' && { username }),
      ...(icon !== '' && { icon_emoji: icon }),
      locale: given.locale,
      timeZone: given.timezone,
    }),
    [username, icon, given.locale, given.timezone],
  );
  const name = textOf(document, 'name');
  useEffect(() => {
    window.document.title = `${name} · Stanza`;
  }, [name]);
  const close = (): void => open(undefined);
  return (
    <div className={styles.editor}>
      <h1 className="visually-hidden">{name}</h1>
      <Toolbar loaded={loaded} editing={editing} onOpen={open} />
      {editing.isRestored && (
        <div className={styles.restored} role="status">
          <span>These are your unsaved changes, as this browser kept them.</span>
          <Button look="quiet" onClick={editing.discard}>
            Discard them
          </Button>
          <Button look="quiet" onClick={editing.dismissRestored}>
            Keep them
          </Button>
        </div>
      )}
      <Workbench templateId={template.id} editing={editing} given={given} sender={sender} />
      {opened?.dialog === 'save' && (
        <SaveVersion
          loaded={loaded}
          document={document}
          data={editing.trial.data}
          onSaved={(version) => editing.change({ ...document, blocks: version.blocks })}
          onClose={close}
        />
      )}
      {opened?.dialog === 'history' && (
        <HistoryDialog
          loaded={loaded}
          document={document}
          given={given}
          sender={sender}
          mayActivate={scopes.has('templates:activate')}
          onMakeLive={(versionId) => open({ dialog: 'live', versionId })}
          onOpen={(blocks) => {
            editing.change({ ...document, blocks });
            close();
          }}
          onClose={close}
        />
      )}
      {opened?.dialog === 'live' && (
        <MakeLive
          loaded={loaded}
          versionId={opened.versionId}
          hasUnsaved={editing.isDirty}
          given={given}
          sender={sender}
          onClose={close}
        />
      )}
      {opened?.dialog === 'compare' && template.current_version && (
        <Dialog wide title="Compare with the live version" onClose={close}>
          <BeforeAfter
            before={{
              title: `Live: version ${template.current_version.version_number}`,
              blocks: template.current_version.blocks,
            }}
            after={{ title: 'On the screen', blocks: document.blocks }}
            given={given}
            sender={sender}
          />
        </Dialog>
      )}
    </div>
  );
};

/** The editor of a template: its blocks, what they make of data, its versions. */
export const EditorScreen = ({ templateId }: { templateId: string }) => {
  const loaded = useTemplate(templateId);
  const newest = useVersion(templateId, loaded.data?.versions[0]?.id);
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
  if (last?.id === templateId) return <Editor key={templateId} loaded={last.loaded} saved={last.saved} />;
  if (loaded.isError) return <Failure error={loaded.error} onRetry={() => void loaded.refetch()} />;
  if (newest.isError) return <Failure error={newest.error} onRetry={() => void newest.refetch()} />;
  if (loaded.data?.versions.length === 0)
    return <Empty title="This template has no version">It cannot be edited here.</Empty>;
  return <Loading label="Loading the template" lines={8} />;
};
