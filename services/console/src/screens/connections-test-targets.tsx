import type { TestTarget, TestTargetList } from '@stanza/contracts';
import { useState } from 'react';
import { api } from '../api/operations.ts';
import { useActing } from '../api/session-context.ts';
import { useChange, useRead } from '../api/use-api.ts';
import { RecipientPicker } from '../editor/send/recipient-picker.tsx';
import type { Recipient } from '../editor/send/recipients.ts';
import { useMay } from '../shell/allowed.tsx';
import { useChatNames } from '../shell/chat-names.ts';
import { targetIds, targetName } from '../shell/target-names.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Problem } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Answer } from '../ui/listing.tsx';
import { Section } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';

const idOf = ({ channel_id, recipient_email, recipient_chat_id }: TestTarget): string =>
  channel_id ?? recipient_email ?? recipient_chat_id ?? '';

/** The list in place of the one that was read, and of no other. */
const changed = ({ updated_at }: TestTargetList, targets: TestTarget[]) => ({
  targets,
  expected_updated_at: updated_at,
});

const AddTarget = ({ list, onClose }: { list: TestTargetList; onClose: () => void }) => {
  const [chosen, choose] = useState<Recipient>();
  const [description, describe] = useState('');
  const replacing = useChange(api.replaceTestTargets, onClose);
  const added: TestTarget = {
    ...chosen?.destination,
    ...(description.trim() !== '' && { description: description.trim() }),
  };
  return (
    <FormDialog
      title="Add a target"
      onClose={onClose}
      mutation={replacing}
      submit="Add"
      disabled={chosen === undefined}
      onSubmit={() => replacing.mutate({ body: changed(list, [...list.targets, added]) })}
    >
      <RecipientPicker chosen={chosen} onChoose={choose} />
      <TextField
        label="Description"
        value={description}
        hint="For those who choose among the targets, like “Rehearsals”"
        onChange={({ target }) => describe(target.value)}
      />
    </FormDialog>
  );
};

const Targets = ({ list, mayChange }: { list: TestTargetList; mayChange: boolean }) => {
  const { targets } = list;
  const replacing = useChange(api.replaceTestTargets);
  const names = useChatNames(targets.length > 0, targets.flatMap(targetIds));
  if (targets.length === 0) {
    return <Empty title="No target">Test sends go to whoever sends them, and nowhere else.</Empty>;
  }
  return (
    <>
      <Table<TestTarget>
        label="Targets of test sends"
        rows={targets}
        rowKey={idOf}
        columns={[
          { title: 'Target', cell: (target) => targetName(target, names) },
          { title: 'Description', cell: ({ description }) => description ?? '–' },
          {
            title: '',
            cell: (target) =>
              mayChange && (
                <Button
                  look="quiet"
                  busy={replacing.isPending}
                  aria-label={`Remove ${targetName(target, names)}`}
                  onClick={() =>
                    replacing.mutate({
                      body: changed(
                        list,
                        targets.filter((it) => it !== target),
                      ),
                    })
                  }
                >
                  Remove
                </Button>
              ),
          },
        ]}
      />
      <Problem error={replacing.error} />
    </>
  );
};

/** Where test sends may go besides to whoever sends them; an admin lists it. */
export const TestTargets = () => {
  const { role } = useActing();
  const maySee = useMay('messages:create');
  const mayWrite = useMay('connections:write');
  const isAdmin = role === 'admin' || role === 'owner';
  const [isAdding, add] = useState(false);
  const read = useRead(api.getTestTargets, {}, { enabled: maySee });
  if (!maySee) return null;
  const mayChange = mayWrite && isAdmin;
  return (
    <Section
      title="Test sends"
      about="Channels and people to whom authors may send what they write, before it is live. Everybody may send a test to themselves."
      actions={mayChange && <Button onClick={() => add(true)}>Add a target</Button>}
    >
      <Answer read={read} lines={2}>
        {(list) => (
          <>
            <Targets list={list} mayChange={mayChange} />
            {isAdding && <AddTarget list={list} onClose={() => add(false)} />}
          </>
        )}
      </Answer>
    </Section>
  );
};
