import type { Modal, ModalVersion } from '@stanza/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { api } from '../../api/operations.ts';
import { useRequestKey } from '../../api/request-key.ts';
import { useActing } from '../../api/session-context.ts';
import { call } from '../../api/use-api.ts';
import { useBrowserDraft } from '../../editor/browser-draft.ts';
import { keptOf, type Trial } from '../../editor/data/data-region.tsx';
import { isSame, type TemplateDocument } from '../../editor/document/document.ts';
import editor from '../../editor/editor.module.css';
import inspector from '../../editor/inspector/inspector.module.css';
import { LeadingToBlocks } from '../../editor/preview.tsx';
import { useHistory } from '../../editor/use-history.ts';
import { Workbench } from '../../editor/workbench.tsx';
import { isObject, type JsonObject } from '../../json.ts';
import { Allowed } from '../../shell/allowed.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm.tsx';
import { DrawnModal } from '../../ui/drawn.tsx';
import { TextField } from '../../ui/field.tsx';
import { Problem } from '../../ui/form.tsx';
import { PageHead } from '../../ui/page.tsx';
import { longestLabel, textOf, useGivenOfView, viewOf } from './modal-view.ts';

/** What a modal says of itself, which stands around its blocks. */
const labels = [
  ['name', 'Name'],
  ['title', 'Title'],
  ['submit_label', 'Submit button'],
  ['close_label', 'Close button'],
] as const;

const longestName = 200;

/** What was the newest when its author began, or was told of something newer. */
interface Known {
  readonly version: string;
  readonly labels: JsonObject;
}

const labelsOf = (modal: Modal): JsonObject => Object.fromEntries(labels.map(([key]) => [key, modal[key]]));

const labelTexts = (document: TemplateDocument): JsonObject =>
  Object.fromEntries(labels.map(([key]) => [key, textOf(document, key)]));

const documentOf = (modal: Modal, { blocks }: ModalVersion): TemplateDocument => ({
  ...Object.fromEntries(Object.entries(labelsOf(modal)).filter(([, label]) => label !== null)),
  blocks,
});

const Settings = ({
  document,
  onChange,
}: {
  document: TemplateDocument;
  onChange: (value: string, pointer: string) => void;
}) => (
  <details className={inspector.template} open>
    <summary>Modal settings</summary>
    <div className={inspector.shape}>
      {labels.map(([key, label]) => (
        <TextField
          key={key}
          label={label}
          required
          maxLength={key === 'name' ? longestName : longestLabel}
          value={textOf(document, key)}
          onChange={({ target }) => onChange(target.value, `/${key}`)}
        />
      ))}
    </div>
  </details>
);

/** Saves what is on the screen: what the modal says of itself, and its blocks with their data as a version. */
const useSave = (
  modal: Modal,
  before: { document: TemplateDocument; trial: Trial },
  after: { document: TemplateDocument; trial: Trial },
  known: Known,
  onOvertaken: (newest: Known) => void,
  onSaved: (sent: { document: TemplateDocument; trial: Trial }, version: string) => void,
  onDone: () => void,
) => {
  const { place } = useActing();
  const queries = useQueryClient();
  const store = useBrowserDraft(modal.id);
  const key = useRequestKey();
  const params = { id: modal.id };
  const saveLabels = async (
    document: TemplateDocument,
    changed: readonly (typeof labels)[number][],
  ): Promise<void> => {
    let tag = '';
    const onTag = (given: string): void => {
      tag = given;
    };
    const now = labelsOf(await call(api.getModal, place, { params }, { onTag }));
    const taken = changed.find(
      ([key]) => ![textOf(known.labels, key), textOf(document, key)].includes(textOf(now, key)),
    );
    if (taken !== undefined) {
      const [field, label] = taken;
      onOvertaken({ ...known, labels: { ...known.labels, [field]: now[field] } });
      throw new Error(
        `${label} was changed to “${textOf(now, field)}” since you began. Save once more to replace it.`,
      );
    }
    const body = Object.fromEntries(changed.map(([key]) => [key, textOf(document, key)]));
    await call(api.updateModal, place, { params, body }, { headers: { 'If-Match': tag } });
  };
  return useMutation({
    mutationFn: async ({ document, trial }: typeof after) => {
      const [latest] = (await call(api.listModalVersions, place, { params, query: { limit: 1 } })).data;
      // One that says the same may be of an earlier try, whose answer was lost.
      if (latest && latest.id !== known.version && !isSame(latest.blocks, document.blocks)) {
        onOvertaken({ ...known, version: latest.id });
        throw new Error(
          `Version ${latest.version_number} was saved since you began. What you write has none of its changes: look at it in another window, or save once more.`,
        );
      }
      const changed = labels.filter(([key]) => textOf(document, key) !== textOf(known.labels, key));
      if (changed.length > 0) await saveLabels(document, changed);
      const isNew =
        !isSame(document.blocks, before.document.blocks) || !isSame(trial.data, before.trial.data);
      if (!isNew) return known.version;
      const version: object = { blocks: document.blocks, sample_data: trial.data };
      const { id } = await call(api.appendModalVersion, place, {
        params,
        body: JSON.parse(JSON.stringify(version)),
        idempotencyKey: key.of(version),
      });
      return id;
    },
    onError: (error) => key.failed(error),
    onSuccess: async (version, sent) => {
      key.end();
      const isDone = sent.document === after.document && isSame(sent.trial, after.trial);
      if (isDone) store.forget();
      else onSaved(sent, version);
      await queries.invalidateQueries({ queryKey: [place.organization, place.environment] });
      if (isDone) onDone();
    },
  });
};

/** Nothing is asked of the server to discard what it never had. */
const discarding = { isPending: false, error: null, reset: () => undefined };

/** The editor of a modal, which begins with its newest version. */
export const WriteModal = ({
  modal,
  newest,
  onDone,
}: {
  modal: Modal;
  newest: ModalVersion;
  onDone: () => void;
}) => {
  const [saved, setSaved] = useState(() => ({
    document: documentOf(modal, newest),
    trial: { data: newest.sample_data ?? {}, locale: '', timezone: '' },
  }));
  // A reload finds what was written, and so does one who comes back.
  const store = useBrowserDraft(modal.id);
  const [kept] = useState(store.read);
  const steps = useHistory(kept?.edition ?? { document: saved.document });
  const [trial, setTrial] = useState<Trial>(kept?.trial ?? saved.trial);
  const { present, put, undo, redo, canUndo, canRedo } = steps;
  const { document } = present;
  const own = useMemo(() => keptOf(trial), [trial]);
  const [known, learn] = useState<Known>(() => ({
    version: typeof kept?.settings?.newest === 'string' ? kept.settings.newest : newest.id,
    labels: isObject(kept?.settings?.labels) ? kept.settings.labels : labelsOf(modal),
  }));
  const isDirty = present.textProblem !== undefined || !isSame({ document, trial: own }, saved);
  useEffect(() => {
    const settings = { newest: known.version, labels: known.labels };
    if (isDirty) store.keep({ edition: present, trial: own, isSettled: false, settings });
    else store.forget();
  }, [store, present, own, isDirty, known]);
  const discard = async (): Promise<void> => {
    store.forget();
    onDone();
  };
  const after = { document, trial: own };
  // What was written while it was saved stays.
  const onSaved = (sent: typeof after, version: string): void => {
    setSaved(sent);
    learn({ version, labels: { ...known.labels, ...labelTexts(sent.document) } });
  };
  const save = useSave(modal, saved, after, known, learn, onSaved, onDone);
  const given = useGivenOfView(trial);
  return (
    <div className={editor.editor}>
      <PageHead
        title={`Write ${modal.name}`}
        actions={
          <>
            <Button look="quiet" disabled={!canUndo} onClick={undo}>
              Undo
            </Button>
            <Button look="quiet" disabled={!canRedo} onClick={redo}>
              Redo
            </Button>
            {isDirty ? (
              <ConfirmButton
                label="Discard"
                look="plain"
                title={`Discard what you wrote of ${modal.name}?`}
                confirmLabel="Discard changes"
                act={discard}
                change={discarding}
              >
                The modal stays as it was saved last. What you have written since is gone.
              </ConfirmButton>
            ) : (
              <Button onClick={onDone}>Close</Button>
            )}
            <Allowed scope="modals:write" to="to save what you write">
              <Button
                look="primary"
                busy={save.isPending}
                disabled={!isDirty || present.textProblem !== undefined}
                onClick={() => save.mutate(after)}
              >
                Save version
              </Button>
            </Allowed>
          </>
        }
      >
        What you write is kept in this browser until it is saved. A version is not live until you make it
        live; title and buttons hold for the live version at once.
      </PageHead>
      <Problem error={save.error} />
      <Workbench
        editing={{ ...steps, trial, setTrial }}
        given={given}
        settings={<Settings document={document} onChange={put} />}
        draw={(output, onBlock) => (
          <LeadingToBlocks onBlock={onBlock}>
            <DrawnModal view={viewOf(document, output)} />
          </LeadingToBlocks>
        )}
      />
    </div>
  );
};
