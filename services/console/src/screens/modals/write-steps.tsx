import type { Modal, ModalVersion } from '@stanza/contracts';
import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from 'react';
import { api } from '../../api/operations.ts';
import { useChange, useRead } from '../../api/use-api.ts';
import { useBrowserDraft } from '../../editor/browser-draft.ts';
import { keptOf, type Trial } from '../../editor/data/data-region.tsx';
import { isSame, type TemplateDocument } from '../../editor/document/document.ts';
import editor from '../../editor/editor.module.css';
import inspector from '../../editor/inspector/inspector.module.css';
import { firstQuestion } from '../../editor/making/new-modal.tsx';
import { LeadingToBlocks } from '../../editor/preview.tsx';
import { useHistory } from '../../editor/use-history.ts';
import { Workbench } from '../../editor/workbench.tsx';
import { Allowed } from '../../shell/allowed.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm.tsx';
import { DrawnModal } from '../../ui/drawn.tsx';
import { TextField } from '../../ui/field.tsx';
import { PageHead, Toolbar } from '../../ui/page.tsx';
import { longestLabel, textOf, useGivenOfView, viewOf } from './modal-view.ts';
import { inserted, isStep, keptSteps, movedEarlier, type Step, stepsOf, stepsToSave } from './steps.ts';

const labels = [
  ['title', 'Title', true],
  ['submit_label', 'Submit button', false],
] as const;

/** One step in the editor of templates. What is undone is what was done since it was chosen. */
const StepEditor = ({
  modal,
  step,
  trial,
  setTrial,
  onChange,
}: {
  modal: Modal;
  step: Step;
  trial: Trial;
  setTrial: Dispatch<SetStateAction<Trial>>;
  /** Is told the step, or nothing while its JSON cannot be read. */
  onChange: (step: Step | undefined) => void;
}) => {
  const history = useHistory({ document: step });
  const { present, put, undo, redo, canUndo, canRedo } = history;
  const { document, textProblem } = present;
  // biome-ignore lint/correctness/useExhaustiveDependencies: told of each change, whoever listens
  useEffect(() => onChange(textProblem === undefined && isStep(document) ? document : undefined), [present]);
  const shown: TemplateDocument = {
    ...document,
    submit_label: textOf(document, 'submit_label') || modal.submit_label,
    close_label: modal.close_label,
  };
  return (
    <>
      <div className={editor.stepUndo}>
        <Button look="quiet" disabled={!canUndo} onClick={undo}>
          Undo
        </Button>
        <Button look="quiet" disabled={!canRedo} onClick={redo}>
          Redo
        </Button>
      </div>
      <Workbench
        editing={{ ...history, trial, setTrial }}
        given={useGivenOfView(trial)}
        settings={
          <details className={inspector.template} open>
            <summary>Settings of the step</summary>
            <div className={inspector.shape}>
              {labels.map(([key, label, required]) => (
                <TextField
                  key={key}
                  label={label}
                  required={required}
                  maxLength={longestLabel}
                  hint={!required && `Else “${modal.submit_label ?? 'Submit'}”`}
                  value={textOf(document, key)}
                  onChange={({ target }) => put(target.value, `/${key}`)}
                />
              ))}
            </div>
          </details>
        }
        draw={(output, onBlock) => (
          <LeadingToBlocks onBlock={onBlock}>
            <DrawnModal view={viewOf(shown, output)} />
          </LeadingToBlocks>
        )}
      />
    </>
  );
};

/** Nothing is asked of the server to discard what it never had. */
const discarding = { isPending: false, error: null, reset: () => undefined };

/** Which step is written: the others stand beside it, and are put in order there. */
const StepChoice = ({
  steps,
  at,
  disabled,
  onShow,
  onChange,
}: {
  steps: readonly Step[];
  at: number;
  /** The JSON of the chosen step cannot be read, so it would be lost. */
  disabled: boolean;
  onShow: (at: number) => void;
  onChange: (steps: readonly Step[], at: number) => void;
}) => {
  const added: Step = { title: `Step ${steps.length + 1}`, submit_label: '', blocks: [firstQuestion] };
  return (
    <Toolbar label="Steps">
      {steps.map(({ title }, place) => (
        <Button
          key={place.toString()}
          look={place === at ? 'primary' : 'plain'}
          aria-pressed={place === at}
          disabled={disabled && place !== at}
          onClick={() => onShow(place)}
        >
          {`${place + 1}: ${title}`}
        </Button>
      ))}
      <Button look="quiet" disabled={disabled} onClick={() => onChange(inserted(steps, at, added), at + 1)}>
        Add step
      </Button>
      <Button
        look="quiet"
        disabled={disabled || at === 0}
        onClick={() => onChange(movedEarlier(steps, at), at - 1)}
      >
        Move earlier
      </Button>
      <Button
        look="quiet"
        disabled={steps.length === 1}
        onClick={() => onChange(steps.toSpliced(at, 1), Math.max(0, at - 1))}
      >
        Remove step
      </Button>
    </Toolbar>
  );
};

/** The editor of a modal of several steps; one of a single view begins with that. */
export const WriteSteps = ({
  modal,
  newest,
  onDone,
}: {
  modal: Modal;
  newest: ModalVersion;
  onDone: () => void;
}) => {
  const [saved, setSaved] = useState(() => stepsOf(modal, newest));
  // A reload finds what was written, and so does one who comes back.
  const store = useBrowserDraft(`${modal.id}.steps`);
  const [kept] = useState(store.read);
  const [steps, setSteps] = useState(() => keptSteps(kept?.edition.document) ?? saved);
  // What stood there when the writing began: a save would replace what somebody else has saved since.
  const [begun, begin] = useState(() => (kept?.settings === undefined ? modal.steps : kept.settings.steps));
  const [isOvertaken, setOvertaken] = useState(false);
  const [trial, setTrial] = useState<Trial>(
    kept?.trial ?? { data: newest.sample_data ?? {}, locale: '', timezone: '' },
  );
  // Another arrangement of the steps begins the editor anew.
  const [{ at, arrangement }, show] = useState({ at: 0, arrangement: 0 });
  const [isBroken, setBroken] = useState(false);
  const isDirty = isBroken || modal.steps === null || !isSame(steps, saved);
  useEffect(() => {
    if (isSame(steps, saved)) store.forget();
    else
      store.keep({
        edition: { document: { blocks: [], steps } },
        trial: keptOf(trial),
        isSettled: false,
        settings: { steps: begun },
      });
  }, [store, steps, saved, trial, begun]);
  const leave = (): void => {
    store.forget();
    onDone();
  };
  const now = useRead(api.getModal, { params: { id: modal.id } });
  const latest = useRef(steps);
  latest.current = steps;
  const asked = useRef(steps);
  const saving = useChange(api.updateModal, ({ steps: answered }) => {
    if (latest.current === asked.current) return leave();
    // What was written while it was saved stays.
    setSaved(asked.current);
    begin(answered);
    setOvertaken(false);
  });
  const save = async (): Promise<unknown> => {
    asked.current = steps;
    const { data } = await now.refetch();
    if (!isOvertaken && data !== undefined && !isSame(data.steps, begun)) {
      // The dialog stays open, and says so.
      setOvertaken(true);
      throw new Error('somebody else has saved the steps');
    }
    const body: object = { steps: stepsToSave(steps) };
    return saving.mutateAsync({ params: { id: modal.id }, body: JSON.parse(JSON.stringify(body)) });
  };
  const step = steps[at];
  return (
    <div className={editor.editor}>
      <PageHead
        title={`Write the steps of ${modal.name}`}
        actions={
          <>
            {isSame(steps, saved) && !isBroken ? (
              <Button onClick={leave}>Close</Button>
            ) : (
              <ConfirmButton
                label="Discard"
                look="plain"
                title={`Discard what you wrote of ${modal.name}?`}
                confirmLabel="Discard changes"
                act={async () => leave()}
                change={discarding}
              >
                The steps stay as they were saved last. What you have written since is gone.
              </ConfirmButton>
            )}
            <Allowed scope="modals:write" to="to save what you write">
              {isDirty && !isBroken && (
                <ConfirmButton
                  label="Save steps"
                  look="primary"
                  title={`Save the steps of ${modal.name}?`}
                  act={save}
                  change={saving}
                >
                  {isOvertaken &&
                    'Somebody else has saved steps of this modal since you began. Yours take their place; cancel, and open the modal in another window to see them. '}
                  {modal.current_version === null
                    ? 'A click opens them once a version of the modal is live.'
                    : 'Every click opens them from then on. Forms that are open already end as they began.'}
                </ConfirmButton>
              )}
            </Allowed>
          </>
        }
      >
        People fill in one step after the other. What you write is kept in this browser until it is saved.
      </PageHead>
      <StepChoice
        steps={steps}
        at={at}
        disabled={isBroken}
        onShow={(to) => show({ at: to, arrangement })}
        onChange={(next, to) => {
          setSteps(next);
          setBroken(false);
          show({ at: to, arrangement: arrangement + 1 });
        }}
      />
      {step && (
        <StepEditor
          key={`${arrangement} ${at}`}
          modal={modal}
          step={step}
          trial={trial}
          setTrial={setTrial}
          onChange={(changed) => {
            setBroken(changed === undefined);
            if (changed) setSteps((before) => before.with(at, changed));
          }}
        />
      )}
    </div>
  );
};
