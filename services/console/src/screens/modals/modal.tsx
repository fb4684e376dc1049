import type { Modal, ModalVersion } from '@stanza/contracts';
import { useState } from 'react';
import { api } from '../../api/operations.ts';
import { useChange, useRead } from '../../api/use-api.ts';
import { useForgetDeleted } from '../../browser-drafts.ts';
import { Allowed, useMay } from '../../shell/allowed.tsx';
import { ScreenLink } from '../../shell/screen-link.tsx';
import { useFilters } from '../../shell/use-filters.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm.tsx';
import { DrawnModal } from '../../ui/drawn.tsx';
import { Facts } from '../../ui/facts.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Answer, Listing } from '../../ui/listing.tsx';
import { Card, PageHead, Section } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { DeleteModal, OpenedBy } from './opened-by.tsx';
import { WriteModal } from './write-modal.tsx';
import { WriteSteps } from './write-steps.tsx';

const Preview = ({ modal, version }: { modal: Modal; version: string | undefined }) => {
  const [step, setStep] = useState(0);
  const steps = modal.steps ?? [];
  const body = { step, ...(version !== undefined && { version_id: version }) };
  return (
    <Section title="Preview" about="Made of the sample data that was saved with the version.">
      {steps.length > 1 && (
        <SelectField
          label="Step"
          value={String(step)}
          options={steps.map(({ title }, at) => [String(at), `${at + 1}: ${title}`] as const)}
          onChange={({ target }) => setStep(Number(target.value))}
        />
      )}
      <Answer read={useRead(api.previewModal, { params: { id: modal.id }, body })} lines={8}>
        {({ view }) => <DrawnModal view={view} />}
      </Answer>
    </Section>
  );
};

const Versions = ({
  modal,
  shown,
  onShow,
}: {
  modal: Modal;
  shown: string | undefined;
  onShow: (version: string) => void;
}) => {
  const [offset, setOffset] = useState(0);
  const mayWrite = useMay('modals:write');
  const activating = useChange(api.activateModalVersion);
  const read = useRead(api.listModalVersions, { params: { id: modal.id }, query: { offset } });
  return (
    <Section
      title="Versions"
      about="A version never changes. One of them is live, and is what a click opens."
    >
      <Listing<ModalVersion>
        label="Versions"
        read={read}
        rowKey={({ id }) => id}
        onOffset={setOffset}
        columns={[
          {
            title: 'Version',
            cell: ({ id, version_number }) => (
              <Button look="link" aria-pressed={id === shown} onClick={() => onShow(id)}>
                version {version_number}
              </Button>
            ),
          },
          {
            title: 'State',
            cell: ({ is_current, status }) => {
              if (is_current) return <StateBadge state="live" />;
              return status === 'draft' ? <StateBadge state="draft" /> : 'was live';
            },
          },
          { title: 'Made', cell: ({ created_at }) => <Time at={created_at} /> },
          {
            title: '',
            cell: ({ id, version_number, is_current }) =>
              mayWrite &&
              !is_current && (
                <ConfirmButton
                  label="Make live"
                  name={`Make live: version ${version_number}`}
                  look="plain"
                  title={`Make version ${version_number} live?`}
                  act={() => activating.mutateAsync({ params: { id: modal.id, version_id: id } })}
                  change={activating}
                >
                  Every click opens it from then on. Forms that are open already end as they began.
                </ConfirmButton>
              ),
          },
        ]}
        empty={<Empty title="No version">Write one, or let a program add it.</Empty>}
      />
    </Section>
  );
};

const Actions = ({ modal, onWrite }: { modal: Modal; onWrite: (what: 'yes' | 'steps') => void }) => (
  <Allowed scope="modals:write" to="to change this modal">
    <Button look="primary" onClick={() => onWrite(modal.steps === null ? 'yes' : 'steps')}>
      Write
    </Button>
    {modal.steps === null && <Button onClick={() => onWrite('steps')}>Ask in steps…</Button>}
    <DeleteModal modal={modal} />
  </Allowed>
);

/** An editor, once the version that it begins with is there. */
const Writing = ({
  editor: Editor,
  modal,
  newest,
  onDone,
}: {
  editor: typeof WriteModal;
  modal: Modal;
  newest: string;
  onDone: () => void;
}) => (
  <Answer read={useRead(api.getModalVersion, { params: { id: modal.id, version_id: newest } })} keeps>
    {(version) => <Editor modal={modal} newest={version} onDone={onDone} />}
  </Answer>
);

const Details = ({ modal }: { modal: Modal }) => {
  const [version, show] = useState<string>();
  const { value, set } = useFilters();
  const versions = useRead(api.listModalVersions, { params: { id: modal.id }, query: { limit: 1 } });
  const newest = versions.data?.data[0];
  if (value('write') !== '' && newest !== undefined) {
    const Editor = modal.steps === null && value('write') === 'yes' ? WriteModal : WriteSteps;
    return <Writing editor={Editor} modal={modal} newest={newest.id} onDone={() => set({ write: '' })} />;
  }
  return (
    <>
      <PageHead
        title={modal.name}
        above={<ScreenLink screen="modals">Modals</ScreenLink>}
        actions={<Actions modal={modal} onWrite={(write) => set({ write })} />}
      >
        {modal.description}
        {modal.steps !== null && ' People fill in one step after the other.'}
      </PageHead>
      <Card>
        <Facts
          of={[
            ['State', <StateBadge key="state" state={modal.current_version === null ? 'draft' : 'live'} />],
            ['Live version', modal.current_version && `version ${modal.current_version.version_number}`],
            ['Opened by', <OpenedBy key="opened" modal={modal} />],
            ['Title', modal.title],
            ['Submit button', modal.submit_label],
            ['Changed', <Time key="changed" at={modal.updated_at} exact />],
          ]}
        />
      </Card>
      <Preview modal={modal} version={version} />
      <Versions modal={modal} shown={version} onShow={show} />
    </>
  );
};

/** One modal, drawn, with its versions. */
export const ModalScreen = ({ id }: { id: string }) => {
  const isWriting = useFilters().value('write') !== '';
  const read = useRead(api.getModal, { params: { id } });
  useForgetDeleted(id, read.error);
  return (
    <Answer isPage read={read} keeps={isWriting}>
      {(modal) => <Details modal={modal} />}
    </Answer>
  );
};
