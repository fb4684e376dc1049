import { useEffect, useEffectEvent } from 'react';
import { useActing } from '../api/session-context.ts';
import { StateBadge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { textOf } from './document/document.ts';
import { DraftWords } from './drafts/draft-status.tsx';
import styles from './editor.module.css';
import type { Opened } from './editor-dialogs.tsx';
import { hasTexts } from './languages/texts.ts';
import { TemplateActions } from './template-actions.tsx';
import type { Editing } from './use-editing.ts';
import type { Loaded } from './versions/api.ts';
import { nextLive } from './versions/next-live.ts';
import { useRefusal } from './versions/use-refusal.ts';

const stateOf = ({ template }: Loaded): 'archived' | 'live' | 'draft' => {
  if (template.lifecycle === 'archived') return 'archived';
  return template.current_version === null ? 'draft' : 'live';
};

/** Ctrl+S saves as it does elsewhere, and never saves the page. */
const useSaveKey = (save: (() => void) | undefined): void => {
  const onSave = useEffectEvent((event: KeyboardEvent): void => {
    if (!(event.metaKey || event.ctrlKey) || event.key.toLowerCase() !== 's') return;
    event.preventDefault();
    if (window.document.querySelector('dialog[open]') === null) save?.();
  });
  useEffect(() => {
    window.addEventListener('keydown', onSave);
    return () => window.removeEventListener('keydown', onSave);
  }, []);
};

/** The name of the template, where it stands, and what can be done with it. */
export const Toolbar = ({
  loaded,
  editing,
  onOpen,
}: {
  loaded: Loaded;
  editing: Editing;
  onOpen: (opened: Opened) => void;
}) => {
  const { template, versions } = loaded;
  const { may } = useActing();
  const { present, put, isDirty } = editing;
  const state = stateOf(loaded);
  const [newest] = versions;
  const isArchived = state === 'archived';
  const isNewestLive = newest?.id === template.current_version?.id;
  const mayUpdate = may('templates:update');
  // JSON that is half written is not what anybody means to send.
  const isBroken = present.textProblem !== undefined;
  const target = nextLive(loaded, editing, may);
  const { isRefused } = useRefusal(loaded);
  const save = (): void => onOpen({ dialog: 'save' });
  useSaveKey(mayUpdate && !isBroken ? save : undefined);
  return (
    <>
      <div className={styles.toolbar}>
        <div className={styles.title}>
          <input
            aria-label="Template name"
            className={styles.name}
            value={textOf(present.document, 'name')}
            maxLength={200}
            onKeyDown={({ key }) => {
              if (key === 'Enter')
                window.document.querySelector<HTMLElement>('#content [aria-current="true"]')?.focus();
            }}
            onChange={({ target }) => put(target.value, '/name')}
          />
          <div className={styles.standing}>
            <StateBadge state={state} />
            <span className={styles.facts}>
              {template.current_version && `version ${template.current_version.version_number} live`}
              {template.current_version && newest && !isNewestLive && ' · '}
              {newest &&
                !isNewestLive &&
                `version ${newest.version_number} ${newest.status === 'draft' ? 'draft' : 'not live'}`}
            </span>
            <span className={styles.facts}>
              <DraftWords editing={editing} />
            </span>
          </div>
        </div>
        <div className={styles.buttons} role="toolbar" aria-label="Template">
          <Button
            look="quiet"
            aria-label="Undo"
            title="Undo"
            disabled={!editing.canUndo}
            onClick={editing.undo}
          >
            <Icon sign="undo" />
          </Button>
          <Button
            look="quiet"
            aria-label="Redo"
            title="Redo"
            disabled={!editing.canRedo}
            onClick={editing.redo}
          >
            <Icon sign="redo" />
          </Button>
          <Button look="quiet" onClick={() => onOpen({ dialog: 'history' })}>
            History
          </Button>
          <Button
            look="quiet"
            disabled={template.current_version === null}
            onClick={() => onOpen({ dialog: 'compare' })}
          >
            Compare
          </Button>
          {hasTexts(present.document.blocks) && (
            <Button look="quiet" disabled={isBroken} onClick={() => onOpen({ dialog: 'languages' })}>
              Languages
            </Button>
          )}
          {mayUpdate && <TemplateActions template={template} />}
          {may('messages:create') && (
            <Button disabled={isBroken} onClick={() => onOpen({ dialog: 'test' })}>
              Test send
            </Button>
          )}
          {may('messages:create') && (
            <Button
              disabled={state !== 'live'}
              title={state === 'live' ? undefined : 'What is live can be sent'}
              onClick={() => onOpen({ dialog: 'send' })}
            >
              Send…
            </Button>
          )}
          {mayUpdate && (
            <Button
              look={isDirty ? 'primary' : 'plain'}
              disabled={isBroken}
              aria-keyshortcuts="Control+S"
              title="Ctrl S"
              onClick={save}
            >
              Save version
            </Button>
          )}
          {may('templates:activate') && (
            <Button
              look={isDirty ? 'plain' : 'primary'}
              disabled={target === undefined}
              onClick={() => target && onOpen({ dialog: 'live', target })}
            >
              {isRefused(target ?? 'screen') ? 'Propose…' : 'Make live'}
            </Button>
          )}
        </div>
      </div>
      {isArchived && (
        <p className={styles.note}>This template is archived: it cannot be sent until it is restored.</p>
      )}
      {!mayUpdate && (
        <p className={styles.note}>
          You can try changes here, but not save them: that takes the scope <code>templates:update</code>,
          which your role or key does not have.
        </p>
      )}
    </>
  );
};
