import type { ApiError } from '../../api/request.ts';
import { signInAddress } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { refusalOf } from '../../ui/reasons.ts';
import { Time } from '../../ui/time.tsx';
import styles from '../editor.module.css';
import type { Editing } from '../use-editing.ts';
import type { Keeping } from './draft-keeper.ts';
import type { Other } from './use-others.ts';

const textOf = (keeping: Keeping, isDirty: boolean): string => {
  switch (keeping.is) {
    case 'none':
      return isDirty ? 'not saved, kept in this browser' : '';
    case 'waiting':
      return 'keeping the draft…';
    case 'kept':
      return 'draft kept';
    case 'apart':
      return 'two drafts';
    case 'away':
    case 'refused':
      return 'draft kept in this browser alone';
  }
};

/** In a few words: whether what is on the screen is safe. */
export const DraftWords = ({ editing: { keeping, isDirty } }: { editing: Editing }) => (
  <span role="status">{textOf(keeping, isDirty)}</span>
);

const Away = ({ keeping }: { keeping: Extract<Keeping, { is: 'away' }> }) => {
  const { pathname, search } = window.location;
  return keeping.error.status === 401 ? (
    <>
      <span>Your session has ended. What you wrote is kept in this browser.</span>
      <a href={signInAddress(`${pathname}${search}`)}>Sign in again</a>
    </>
  ) : (
    <span>The server does not answer. What you wrote is kept in this browser, and is sent once it does.</span>
  );
};

const refusalText = (error: ApiError): string => {
  if (error.status === 404)
    return 'This template was deleted. What you wrote stays on this page until you leave it: copy what you need.';
  const refusal = refusalOf(error);
  return refusal === undefined
    ? `The server does not take this draft, and this browser keeps it. ${error.message}`
    : `The draft is kept in this browser alone. ${refusal}`;
};

/** What a person must know about the draft: who else is there, where it comes from, what is in the way. */
export const DraftNotices = ({
  editing,
  other,
  tookOver,
  onBothSides,
  onDiscard,
}: {
  editing: Editing;
  other: Other | undefined;
  tookOver: boolean;
  onBothSides: () => void;
  onDiscard: () => void;
}) => {
  const { keeping, from } = editing;
  return (
    <>
      {from !== undefined && (
        <div className={styles.restored} role="status">
          <span>
            {from === 'browser'
              ? 'These changes are not saved yet; this browser kept them.'
              : 'This is the draft of this template; it is not a version yet.'}
          </span>
          <Button look="quiet" onClick={onDiscard}>
            Discard {from === 'browser' ? 'changes' : 'draft'}
          </Button>
          <Button look="quiet" onClick={editing.dismissFrom}>
            Keep {from === 'browser' ? 'changes' : 'draft'}
          </Button>
        </div>
      )}
      {keeping.is === 'apart' && (
        <div className={styles.restored} role="alert">
          <span>Somebody else has changed this draft. Yours is kept in this browser until you choose.</span>
          <Button onClick={onBothSides}>Show both sides</Button>
        </div>
      )}
      {keeping.is === 'away' && (
        <div className={styles.restored} role="alert">
          <Away keeping={keeping} />
        </div>
      )}
      {keeping.is === 'refused' && (
        <div className={styles.restored} role="alert">
          <span>{refusalText(keeping.error)}</span>
        </div>
      )}
      {other && keeping.is !== 'apart' && (
        <div className={styles.restored} role="status">
          <span>
            {other.name} edits this template too, <Time at={other.at} />.{' '}
            {tookOver && 'What they wrote is on your screen; Undo brings back what you had.'}
          </span>
        </div>
      )}
    </>
  );
};
