import type { Template } from '@stanza/contracts';
import { useState } from 'react';
import { api } from '../api/operations.ts';
import { useSay } from '../api/say.ts';
import { useChange, useRead } from '../api/use-api.ts';
import { forgetDraftsOf } from '../browser-drafts.ts';
import { useMay } from '../shell/allowed.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm.tsx';
import { TextField } from '../ui/field.tsx';
import { Problem } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { NewKey, useNewKey } from './making/new-key.tsx';
import styles from './template-actions.module.css';
import { UsedBy } from './versions/used-by.tsx';

const Copying = ({ template, onClose }: { template: Template; onClose: () => void }) => {
  const [name, setName] = useState(`${template.name} (copy)`);
  const key = useNewKey(name);
  const duplicating = useChange(api.duplicateTemplate, onClose);
  return (
    <FormDialog
      title={`Duplicate ${template.name}`}
      onClose={onClose}
      mutation={duplicating}
      submit="Duplicate"
      onSubmit={() => duplicating.mutate({ params: { id: template.id }, body: { name, ...key.body } })}
    >
      <TextField
        label="Name of the copy"
        required
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <NewKey of={key} />
    </FormDialog>
  );
};

const Duplicate = ({ template }: { template: Template }) => {
  const [isAsking, ask] = useState(false);
  return (
    <>
      <Button look="quiet" onClick={() => ask(true)}>
        Duplicate
      </Button>
      {isAsking && <Copying template={template} onClose={() => ask(false)} />}
    </>
  );
};

const ArchivedActions = ({ template }: { template: Template }) => {
  const params = { id: template.id };
  const mayDelete = useMay('templates:delete');
  const say = useSay();
  const restoring = useChange(api.unarchiveTemplate, ({ warnings = [] }) =>
    say(['The template is restored.', ...warnings].join(' ')),
  );
  const deleting = useChange(api.deleteTemplate, () => forgetDraftsOf(template.id));
  return (
    <>
      <Button look="quiet" busy={restoring.isPending} onClick={() => restoring.mutate({ params })}>
        Restore
      </Button>
      {mayDelete && (
        <ConfirmButton
          label="Delete"
          title={`Delete ${template.name}?`}
          act={() => deleting.mutateAsync({ params })}
          change={deleting}
        >
          With its versions, for good. It is refused while a queue or a schedule uses it.
        </ConfirmButton>
      )}
      <Problem error={restoring.error} />
    </>
  );
};

/** Who would miss the template, with links to them. */
const StillUsed = ({ id }: { id: string }) => {
  const use = useRead(api.getUse, { params: { id } }, { staleMs: 0 });
  return use.data && <UsedBy use={use.data} />;
};

/** What can be done with a template of the list. */
export const TemplateActions = ({ template }: { template: Template }) => {
  const mayCreate = useMay('templates:create');
  const archiving = useChange(api.archiveTemplate);
  return (
    <div className={styles.actions}>
      {template.lifecycle === 'archived' ? (
        <ArchivedActions template={template} />
      ) : (
        <>
          {mayCreate && <Duplicate template={template} />}
          <ConfirmButton
            label="Archive"
            look="quiet"
            title={`Archive ${template.name}?`}
            act={() => archiving.mutateAsync({ params: { id: template.id } })}
            change={archiving}
          >
            <p>It can neither be compiled nor sent until it is restored. Its versions stay.</p>
            <StillUsed id={template.id} />
          </ConfirmButton>
        </>
      )}
    </div>
  );
};
