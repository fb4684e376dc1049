import { useState } from 'react';
import { api } from '../../api/operations.ts';
import { ApiError } from '../../api/request.ts';
import { useActing } from '../../api/session-context.ts';
import { useChange, useRead } from '../../api/use-api.ts';
import { useChatNames } from '../../shell/chat-names.ts';
import { ScreenLink } from '../../shell/screen-link.tsx';
import { targetIds } from '../../shell/target-names.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DoneDialog, FormEnd } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Problem } from '../../ui/form.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Answer } from '../../ui/listing.tsx';
import { Cost } from '../send/send-dialog.tsx';
import { bodyOfTrial } from '../send/use-drawing.ts';
import type { Editing } from '../use-editing.ts';
import type { Loaded } from '../versions/api.ts';
import { changedSettings } from '../versions/save-version.tsx';
import { type Choice, choicesOf, rememberedTarget, rememberTarget } from './targets.ts';

const Sent = ({ id, label, onClose }: { id: string; label: string; onClose: () => void }) => (
  <DoneDialog title="The test is sent" onClose={onClose}>
    <p role="status">
      It went to {label}.{' '}
      <ScreenLink screen="messages" item={id}>
        See it in the log
      </ScreenLink>
      , where it is marked as a test.
    </p>
  </DoneDialog>
);

const NoTarget = ({ onClose }: { onClose: () => void }) => (
  <Dialog title="Test send" onClose={onClose}>
    <p>
      There is nowhere to send it to: a key has no address of its own, and no channel is listed for tests. An
      admin lists one under Connections: <ScreenLink screen="connections">Add a target</ScreenLink>
    </p>
    <FormEnd>
      <Button onClick={onClose}>Close</Button>
    </FormEnd>
  </Dialog>
);

const Choosing = ({
  loaded,
  editing,
  choices,
  onClose,
}: {
  loaded: Loaded;
  editing: Editing;
  choices: readonly Choice[];
  onClose: () => void;
}) => {
  const { place } = useActing();
  const { present, trial } = editing;
  const [chosen, choose] = useState(() => rememberedTarget(place));
  const choice = choices.find(({ id }) => id === chosen) ?? choices[0];
  const send = useChange(api.testSend);
  const sendTo = ({ id, destination }: Choice): void => {
    const body = {
      template_id: loaded.template.id,
      blocks: present.document.blocks,
      ...bodyOfTrial(trial),
      ...destination,
    };
    send.mutate({ body: JSON.parse(JSON.stringify(body)) }, { onSuccess: () => rememberTarget(place, id) });
  };
  if (choice === undefined) return <NoTarget onClose={onClose} />;
  if (send.data) return <Sent id={send.data.message_id} label={choice.label} onClose={onClose} />;
  const settings = changedSettings(loaded, editing);
  const isUnconnected = send.error instanceof ApiError && send.error.code === 'chat_not_connected';
  return (
    <FormDialog
      title="Test send"
      onClose={onClose}
      mutation={{ isPending: send.isPending, error: null }}
      submit="Send"
      onSubmit={() => sendTo(choice)}
    >
      <p>What is on the screen is sent with the data beside it, saved or not. The log marks it as a test.</p>
      <Cost>A test that fails costs nothing.</Cost>
      <SelectField
        label="To"
        value={choice.id}
        options={choices.map(({ id, label }) => [id, label] as const)}
        onChange={({ target }) => choose(target.value)}
      />
      {settings.length > 0 && (
        <p>Settings that are not saved yet are not part of a test: {settings.join(', ')}.</p>
      )}
      <p>
        <ScreenLink screen="connections">Add a target</ScreenLink>: a channel or a person of the workspace.
      </p>
      <Problem error={send.error} />
      {isUnconnected && <ScreenLink screen="connections">Connect a workspace</ScreenLink>}
    </FormDialog>
  );
};

/** Sends what is on the screen as a test, to where the last one went. */
export const TestSend = ({
  loaded,
  editing,
  onClose,
}: {
  loaded: Loaded;
  editing: Editing;
  onClose: () => void;
}) => {
  const { session } = useActing();
  const targets = useRead(api.getTestTargets);
  const names = useChatNames(true, targets.data?.targets.flatMap(targetIds));
  const email = session.kind === 'person' ? session.email : null;
  if (targets.data === undefined) {
    return (
      <Dialog title="Test send" onClose={onClose}>
        <Answer read={targets} lines={2}>
          {() => null}
        </Answer>
      </Dialog>
    );
  }
  return (
    <Choosing
      loaded={loaded}
      editing={editing}
      choices={choicesOf(targets.data.targets, email, names)}
      onClose={onClose}
    />
  );
};
