import type { Modal, Template } from '@stanza/contracts';
import { useNavigate } from '@tanstack/react-router';
import { Fragment } from 'react';
import { api } from '../../api/operations.ts';
import { useActing } from '../../api/session-context.ts';
import { useChange, useRead } from '../../api/use-api.ts';
import { forgetDraftsOf } from '../../browser-drafts.ts';
import { useMay } from '../../shell/allowed.tsx';
import { ScreenLink } from '../../shell/screen-link.tsx';
import { ConfirmButton } from '../../ui/confirm.tsx';
import { counted } from '../../ui/words.ts';

/** Names that a sentence can hold. */
const shownAtMost = 10;

/** Templates whose live version opens a modal; archived ones send nothing. Undefined until they are read. */
const useOpeners = ({ id }: Modal) =>
  useRead(
    api.listTemplates,
    { query: { opens_modal: id, lifecycle: 'active', sort: 'name', limit: shownAtMost } },
    { enabled: useMay('templates:read') },
  ).data;

const Names = ({ of, total }: { of: readonly Template[]; total: number }) => (
  <>
    {of.map(({ id, name }, place) => (
      <Fragment key={id}>
        {place > 0 && ', '}
        <ScreenLink screen="templates" item={id}>
          {name}
        </ScreenLink>
      </Fragment>
    ))}
    {total > of.length && ` and ${counted(total - of.length, 'other')}`}
  </>
);

/** The templates that open a modal, by name. */
export const OpenedBy = ({ modal }: { modal: Modal }) => {
  const openers = useOpeners(modal);
  if (openers === undefined) return <>–</>;
  const { total } = openers.pagination;
  return total === 0 ? <>no live version of a template</> : <Names of={openers.data} total={total} />;
};

/** Deletes a modal; of one that is opened it says by what, since the service refuses it. */
export const DeleteModal = ({ modal }: { modal: Modal }) => {
  const { place } = useActing();
  const navigate = useNavigate();
  const openers = useOpeners(modal);
  const deleting = useChange(api.deleteModal, () => {
    forgetDraftsOf(modal.id);
    void navigate({ to: '/$organization/$environment/$screen', params: { ...place, screen: 'modals' } });
  });
  const isOpened = openers !== undefined && openers.pagination.total > 0;
  return (
    <ConfirmButton
      label="Delete"
      title={`Delete ${modal.name}?`}
      act={() => deleting.mutateAsync({ params: { id: modal.id } })}
      change={deleting}
    >
      {isOpened ? (
        <>
          It cannot be deleted while it is opened by{' '}
          <Names of={openers.data} total={openers.pagination.total} />. Make a version live there that does
          not open it, or archive the template.
        </>
      ) : (
        'With its versions, for good. It is refused while the live version of a template opens it.'
      )}
    </ConfirmButton>
  );
};
