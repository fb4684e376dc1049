import type { Template, TemplateDraft } from '@stanza/contracts';
import { Button } from '../../ui/button.tsx';
import { Dialog, FormEnd } from '../../ui/dialog.tsx';
import { Time } from '../../ui/time.tsx';
import type { Evaluated } from '../evaluation/evaluate.ts';
import type { Sender } from '../preview.tsx';
import type { Authors } from '../use-authors.ts';
import type { Editing } from '../use-editing.ts';
import { BeforeAfter } from '../versions/before-after.tsx';
import styles from '../versions/versions.module.css';
import { documentOfDraft } from './draft-body.ts';

/** Two drafts of one template, of which one goes on. The other one stays in reach of *Undo*. */
export const BothSides = ({
  template,
  theirs,
  editing,
  authors,
  given,
  sender,
  onMine,
  onTheirs,
  onClose,
}: {
  template: Template;
  /** Null where the draft was saved as a version, or discarded. */
  theirs: TemplateDraft | null;
  editing: Editing;
  authors: Authors;
  given: Omit<Evaluated, 'blocks'>;
  sender: Sender;
  onMine: () => void;
  onTheirs: () => void;
  onClose: () => void;
}) => {
  const mine = editing.present.document;
  return (
    <Dialog wide title="Two drafts of this template" onClose={onClose}>
      <p className={styles.lead}>
        {theirs === null ? (
          'Meanwhile the draft that you began with was saved as a version, or discarded.'
        ) : (
          <>
            {authors.isMe(theirs.updated_by)
              ? 'You have changed this draft in another window,'
              : `${authors.nameOf(theirs.updated_by)} has changed this draft,`}{' '}
            <Time at={theirs.updated_at} />.
          </>
        )}{' '}
        Choose which one goes on. Undo brings back the other one.
      </p>
      <BeforeAfter
        before={{
          title: theirs === null ? 'Saved' : 'Theirs, on the server',
          blocks: theirs === null ? [] : documentOfDraft(template, theirs).blocks,
        }}
        after={{ title: 'Yours, on the screen', blocks: mine.blocks }}
        given={given}
        sender={sender}
      />
      <FormEnd>
        <Button onClick={onTheirs}>{theirs === null ? 'Take what is saved' : 'Take theirs'}</Button>
        <Button look="primary" onClick={onMine}>
          Keep mine
        </Button>
      </FormEnd>
    </Dialog>
  );
};
