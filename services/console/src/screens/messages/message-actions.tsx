import type { MessageDetails, ReplyOf, updateMessage } from '@stanza/contracts';
import { lazy, Suspense, useState } from 'react';
import { api } from '../../api/operations.ts';
import { useChange } from '../../api/use-api.ts';
import { recipientOf } from '../../editor/send/recipients.ts';
import { useKnownData } from '../../editor/send/sent-data.ts';
import type { TemplateAndLive } from '../../editor/versions/api.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm.tsx';
import { canChange } from './words.ts';

const SendDialog = lazy(async () => ({
  default: (await import('../../editor/send/send-dialog.tsx')).SendDialog,
}));

const UpdateMessage = lazy(async () => ({
  default: (await import('./update-message.tsx')).UpdateMessage,
}));

const wordsOf = ({ changed, revision }: ReplyOf<typeof updateMessage>): string =>
  changed
    ? `The message is updated: the channel shows revision ${revision}.`
    : 'The channel showed this already, so nothing was changed, and nothing was charged.';

interface Actions {
  message: MessageDetails;
  /** Undefined where it is gone, or may not be seen. */
  template: TemplateAndLive | undefined;
  /** The template is on its way: what takes it has its place already. */
  isReading: boolean;
  to: string;
  /** Is told what was done, as a sentence. */
  onDone: (words: string) => void;
}

const Delete = ({ message, to, onDone }: Omit<Actions, 'template' | 'isReading'>) => {
  const deleting = useChange(api.deleteMessage, ({ changed }) =>
    onDone(changed ? 'The message is deleted.' : 'The message was deleted before.'),
  );
  return (
    <ConfirmButton
      label="Delete…"
      confirmLabel="Delete message"
      title={`Delete the message in ${to}?`}
      act={() => deleting.mutateAsync({ params: { id: message.id } })}
      change={deleting}
    >
      Nobody sees it there any more, and that cannot be undone. It stays in this log as deleted. It costs
      nothing.
    </ConfirmButton>
  );
};

/** Sends the message again, changes it, or takes it away. */
export const MessageActions = ({ message, template, isReading, to, onDone }: Actions) => {
  const [isOpen, open] = useState<'send' | 'update'>();
  const { known } = useKnownData(message);
  const possible = canChange(message);
  const close = () => open(undefined);
  const isUsable = template !== undefined && template.lifecycle !== 'archived';
  return (
    <>
      {(isReading || (isUsable && template.current_version)) && (
        <Button disabled={isReading} onClick={() => open('send')}>
          Send again…
        </Button>
      )}
      {(isReading || isUsable) && possible.update && (
        <Button disabled={isReading} onClick={() => open('update')}>
          Update…
        </Button>
      )}
      {possible.delete && <Delete message={message} to={to} onDone={onDone} />}
      <Suspense>
        {isOpen === 'send' && template && (
          <SendDialog
            template={template}
            to={recipientOf(message.destination)}
            with={known}
            onClose={close}
          />
        )}
        {isOpen === 'update' && template && (
          <UpdateMessage
            message={message}
            template={template}
            to={to}
            onClose={close}
            onUpdated={(reply) => onDone(wordsOf(reply))}
          />
        )}
      </Suspense>
    </>
  );
};
