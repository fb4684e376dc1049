import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api/request.ts';
import { useActing } from '../../shell/session-context.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import type { Evaluated } from '../evaluation/evaluate.ts';
import type { Sender } from '../preview.tsx';
import { type Loaded, templateCalls, useRefresh, useVersion } from './api.ts';
import { BeforeAfter } from './before-after.tsx';
import styles from './versions.module.css';

/** Makes a version live, after showing what changes: forwards, or back to an older one. */
export const MakeLive = ({
  loaded: { template, versions },
  versionId,
  hasUnsaved,
  given,
  sender,
  onClose,
}: {
  loaded: Loaded;
  versionId: string;
  /** What is on the screen is more than the version. */
  hasUnsaved: boolean;
  given: Omit<Evaluated, 'blocks'>;
  sender: Sender;
  onClose: () => void;
}) => {
  const { place } = useActing();
  const refresh = useRefresh();
  // What the person looks at is what the server compares with, even when the page has read a newer state since.
  const [live, setLive] = useState(template.current_version);
  const [isChanged, setChanged] = useState(false);
  const version = useVersion(template.id, versionId);
  const number = versions.find(({ id }) => id === versionId)?.version_number;
  const activate = useMutation({
    mutationFn: () =>
      templateCalls(place, template.id).activate(versionId, {
        expected_current_version_id: live?.id ?? null,
      }),
    onSuccess: async () => {
      await refresh();
      onClose();
    },
    onError: async (error) => {
      if (!(error instanceof ApiError) || error.code !== 'current_version_changed') return;
      setChanged(true);
      await refresh();
    },
  });
  const newer = isChanged && template.current_version?.id !== live?.id ? template.current_version : undefined;
  const isBack = live !== null && number !== undefined && number < live.version_number;
  return (
    <Dialog wide title={`Make version ${number ?? ''} live`} onClose={onClose}>
      <div className={styles.body}>
        <p>
          {live === null
            ? 'No version is live yet: from now on messages can be sent with this template.'
            : `Version ${live.version_number} is live now.${isBack ? ' This goes back to an older version.' : ''} Messages that are sent from now on use version ${number}.`}
        </p>
        {hasUnsaved && (
          <p className={styles.notice}>
            What you have not saved yet is not part of version {number}. Save a version first to take it
            along.
          </p>
        )}
        {isChanged && (
          <p className={styles.notice} role="alert">
            Meanwhile{' '}
            {newer
              ? `version ${newer.version_number} was made live by ${newer.created_by}`
              : 'another version was made live'}
            . Nothing has been changed by you. Look at the differences again before you go on.
          </p>
        )}
        {activate.isError && !isChanged && <Failure error={activate.error} />}
        {version.isError && <Failure error={version.error} onRetry={() => void version.refetch()} />}
        {version.data === undefined && !version.isError && <Loading label="Loading the version" />}
        {version.data && (
          <BeforeAfter
            before={
              live === null
                ? undefined
                : { title: `Live: version ${live.version_number}`, blocks: live.blocks }
            }
            after={{ title: `Version ${version.data.version_number}`, blocks: version.data.blocks }}
            given={given}
            sender={sender}
          />
        )}
        <div className={styles.end}>
          <Button onClick={onClose}>Cancel</Button>
          {isChanged ? (
            <Button
              look="primary"
              disabled={newer === undefined}
              onClick={() => {
                setLive(template.current_version);
                setChanged(false);
              }}
            >
              Compare with the live version
            </Button>
          ) : (
            <Button
              look="primary"
              busy={activate.isPending}
              disabled={version.data === undefined}
              onClick={() => activate.mutate()}
            >
              Make live
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
};
