import { useRef } from 'react';
import { useActing } from '../api/session-context.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, FormEnd } from '../ui/dialog.tsx';
import { keptOf } from './data/data-region.tsx';
import { BothSides } from './drafts/both-sides.tsx';
import type { DraftKeeper } from './drafts/draft-keeper.ts';
import type { Evaluated } from './evaluation/evaluate.ts';
import { LanguagesDialog } from './languages/languages-dialog.tsx';
import type { Sender } from './preview.tsx';
import { SendDialog } from './send/send-dialog.tsx';
import { rememberedChannel } from './test-send/targets.ts';
import { TestSend } from './test-send/test-send.tsx';
import type { Authors } from './use-authors.ts';
import type { Editing } from './use-editing.ts';
import type { Loaded } from './versions/api.ts';
import { BeforeAfter } from './versions/before-after.tsx';
import { HistoryDialog } from './versions/history-dialog.tsx';
import { IsLive } from './versions/is-live.tsx';
import { MakeLive } from './versions/make-live.tsx';
import type { Target } from './versions/next-live.ts';
import { nextLive } from './versions/next-live.ts';
import { SaveVersion } from './versions/save-version.tsx';

/** Dialogs of the editor. */
export type Opened =
  | { dialog: 'save' }
  | { dialog: 'test' }
  | { dialog: 'send' }
  | { dialog: 'history' }
  | { dialog: 'compare' }
  | { dialog: 'languages' }
  | { dialog: 'sides' }
  | { dialog: 'live'; target: Target }
  | { dialog: 'is live'; number: number };

/** Says what is live, and that the screen goes on with what is newer. */
const nowLive = (number: number, { versions }: Loaded): string => {
  const newest = versions[0]?.version_number ?? number;
  const isBack = newest > number;
  return `Version ${number} is live now.${isBack ? ` The screen still shows version ${newest}, which is newer. To go on from version ${number}, compare it in History and open it from there.` : ''}`;
};

/** The dialog that is open. */
export const EditorDialogs = ({
  opened,
  onOpen: open,
  loaded,
  editing,
  keeper,
  given,
  sender,
  authors,
  choice,
  onSay,
}: {
  opened: Opened | undefined;
  onOpen: (opened: Opened | undefined) => void;
  loaded: Loaded;
  editing: Editing;
  keeper: DraftKeeper | undefined;
  given: Omit<Evaluated, 'blocks'>;
  sender: Sender;
  authors: Authors;
  /** Ends a meeting of two drafts. */
  choice: { mine: () => void; theirs: () => void };
  /** Tells what a change did. */
  onSay: (said: string) => void;
}) => {
  const { place, may } = useActing();
  const { template } = loaded;
  const { document } = editing.present;
  const target = nextLive(loaded, editing, may);
  const now = useRef(opened);
  now.current = opened;
  const isOpen = (): boolean => now.current === opened;
  // An answer that comes after its dialog was closed leaves alone what was opened since.
  const onOpen = (next: Opened | undefined): void => {
    if (isOpen()) open(next);
  };
  const onClose = (): void => onOpen(undefined);
  const shared = { loaded, editing, onClose };
  switch (opened?.dialog) {
    case undefined:
      return null;
    case 'save':
      return (
        <SaveVersion
          {...shared}
          keeper={keeper}
          onMakeLive={
            may('templates:activate') && template.lifecycle !== 'archived'
              ? (version) => onOpen({ dialog: 'live', target: { version } })
              : undefined
          }
        />
      );
    case 'test':
      return <TestSend {...shared} />;
    case 'send':
      return <SendDialog template={template} to={undefined} with={keptOf(editing.trial)} onClose={onClose} />;
    case 'history':
      return (
        <HistoryDialog
          loaded={loaded}
          document={document}
          given={given}
          sender={sender}
          authors={authors}
          mayActivate={may('templates:activate')}
          onMakeLive={(version) => onOpen({ dialog: 'live', target: { version } })}
          onOpen={(blocks) => {
            editing.change({ ...document, blocks });
            onClose();
          }}
          onClose={onClose}
        />
      );
    case 'live':
      return (
        <MakeLive
          {...shared}
          begun={opened.target}
          keeper={keeper}
          given={given}
          sender={sender}
          authors={authors}
          onDone={({ number, isFirst }) => {
            const isTold = isFirst && isOpen();
            onOpen(isTold ? { dialog: 'is live', number } : undefined);
            if (!isTold) onSay(nowLive(number, loaded));
          }}
        />
      );
    case 'is live':
      return (
        <IsLive
          templateKey={template.key}
          number={opened.number}
          data={keptOf(editing.trial).data}
          channel={rememberedChannel(place)}
          onSend={() => onOpen({ dialog: 'send' })}
          onClose={onClose}
        />
      );
    case 'languages':
      return <LanguagesDialog templateKey={template.key} editing={editing} onClose={onClose} />;
    case 'sides':
      if (editing.keeping.is !== 'apart') return null;
      return (
        <BothSides
          template={template}
          theirs={editing.keeping.theirs}
          editing={editing}
          authors={authors}
          given={given}
          sender={sender}
          onMine={() => {
            choice.mine();
            onClose();
          }}
          onTheirs={() => {
            choice.theirs();
            onClose();
          }}
          onClose={onClose}
        />
      );
    case 'compare':
      if (template.current_version === null) return null;
      return (
        <Dialog wide title="Compare with the live version" onClose={onClose}>
          <BeforeAfter
            before={{
              title: `Live: version ${template.current_version.version_number}`,
              blocks: template.current_version.blocks,
            }}
            after={{ title: 'On the screen', blocks: document.blocks }}
            given={given}
            sender={sender}
          />
          <FormEnd>
            <Button onClick={onClose}>Done</Button>
            {target && (
              <Button look="primary" onClick={() => onOpen({ dialog: 'live', target })}>
                Make live…
              </Button>
            )}
          </FormEnd>
        </Dialog>
      );
  }
};
