import type { TestTarget } from '@stanza/contracts';
import { useState } from 'react';
import { api } from '../api/operations.ts';
import { useActing } from '../api/session-context.ts';
import { useChange, useRead } from '../api/use-api.ts';
import { useMay } from '../shell/allowed.tsx';
import { Button } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Problem } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Answer } from '../ui/listing.tsx';
import { Section } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';

const forms = [
  ['channel_id', 'A channel'],
  ['recipient_email', 'A person, by e-mail address'],
  ['recipient_chat_id', 'A person, by chat id'],
] as const;

type Form = (typeof forms)[number][0];

const placeholders: Readonly<Record<Form, string>> = {
  channel_id: 'C0DEPLOYS',
  recipient_email: 'ada@example.com',
  recipient_chat_id: 'U0ADA',
};

const formOf = (target: TestTarget): Form =>
  forms.map(([form]) => form).find((form) => typeof target[form] === 'string') ?? 'channel_id';

const nameOf = (target: TestTarget): string => target[formOf(target)] ?? '';

const AddTarget = ({ targets, onClose }: { targets: readonly TestTarget[]; onClose: () => void }) => {
  const [form, setForm] = useState<Form>('channel_id');
  const [name, setName] = useState('');
  const [description, describe] = useState('');
  const replacing = useChange(api.replaceTestTargets, onClose);
  const added: TestTarget = {
    [form]: name.trim(),
    ...(description.trim() !== '' && { description: description.trim() }),
  };
  return (
    <FormDialog
      title="Add a target"
      onClose={onClose}
      asked={replacing}
      submit="Add"
      onSubmit={() => replacing.mutate({ body: { targets: [...targets, added] } })}
    >
      <SelectField
        label="Where to"
        value={form}
        options={forms}
        onChange={({ target }) => setForm(forms.find(([it]) => it === target.value)?.[0] ?? 'channel_id')}
      />
      <TextField
        label={form === 'recipient_email' ? 'Address' : 'Id'}
        type={form === 'recipient_email' ? 'email' : 'text'}
        required
        value={name}
        placeholder={placeholders[form]}
        onChange={({ target }) => setName(target.value)}
      />
      <TextField
        label="Description"
        value={description}
        hint="For those who choose among the targets, like “Rehearsals”"
        onChange={({ target }) => describe(target.value)}
      />
    </FormDialog>
  );
};

const Targets = ({ targets, mayChange }: { targets: readonly TestTarget[]; mayChange: boolean }) => {
  const replacing = useChange(api.replaceTestTargets);
  if (targets.length === 0) {
    return <Empty title="No target">Test sends go to whoever sends them, and nowhere else.</Empty>;
  }
  return (
    <>
      <Table<TestTarget>
        label="Targets of test sends"
        rows={targets}
        rowKey={(target) => `${formOf(target)} ${nameOf(target)}`}
        columns={[
          { title: 'Target', cell: (target) => <code>{nameOf(target)}</code> },
          { title: 'Description', cell: ({ description }) => description ?? '–' },
          {
            title: '',
            cell: (target) =>
              mayChange && (
                <Button
                  look="quiet"
                  busy={replacing.isPending}
                  aria-label={`Remove ${nameOf(target)}`}
                  onClick={() =>
                    replacing.mutate({ body: { targets: targets.filter((it) => it !== target) } })
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
  const asked = useRead(api.getTestTargets, {}, { enabled: maySee });
  if (!maySee) return null;
  const mayChange = mayWrite && isAdmin;
  return (
    <Section
      title="Test sends"
      about="Channels and people to whom authors may send what they write, before it is live. Everybody may send a test to themselves."
      actions={mayChange && <Button onClick={() => add(true)}>Add a target</Button>}
    >
      <Answer asked={asked} lines={2}>
        {({ targets }) => (
          <>
            <Targets targets={targets} mayChange={mayChange} />
            {isAdding && <AddTarget targets={targets} onClose={() => add(false)} />}
          </>
        )}
      </Answer>
    </Section>
  );
};
