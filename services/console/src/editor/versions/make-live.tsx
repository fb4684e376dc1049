import { useState } from 'react';
import { ApiError } from '../../api/request.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, FormEnd } from '../../ui/dialog.tsx';
import { CheckField, TextField } from '../../ui/field.tsx';
import { Form, Problem } from '../../ui/form.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { withDefault } from '../document/defaults.ts';
import { isSame } from '../document/document.ts';
import type { DraftKeeper } from '../drafts/draft-keeper.ts';
import type { Evaluated } from '../evaluation/evaluate.ts';
import type { Sender } from '../preview.tsx';
import { Decline, ProposalWords } from '../proposals/decide.tsx';
import { NeedsAnotherPerson, Proposed } from '../proposals/propose.tsx';
import type { Authors } from '../use-authors.ts';
import type { Editing } from '../use-editing.ts';
import type { Loaded } from './api.ts';
import { BeforeAfter } from './before-after.tsx';
import { type DefaultRemedy, Impact } from './impact.tsx';
import type { Target } from './next-live.ts';
import { type Making, useMakeLive } from './use-make-live.ts';
import { UsedBy } from './used-by.tsx';
import styles from './versions.module.css';

/** What stands in place of a missing value until somebody writes something better. */
const anyText = '–';

const introduction = (
  { live, number, target, proposal, needsAnotherPerson: asksSomebodyElse }: Making,
  key: string,
): string => {
  const begun = live === null && number === 2 ? '; version 1 is what the template began with' : '';
  const saved = target === 'screen' ? `What is on the screen becomes version ${number}${begun}. ` : '';
  const when = asksSomebodyElse
    ? 'once somebody else accepts it'
    : proposal
      ? 'once you have accepted it'
      : 'from now on';
  if (live === null)
    return `${saved}No version is live yet: ${when} messages can be sent with this template. Programs send it by the key ${key}, which then stays as it is.`;
  const isBack = number !== undefined && number < live.version_number;
  return `${saved}Version ${live.version_number} is live now.${isBack ? ' This goes back to an older version.' : ''} Messages that are sent ${when} use version ${number}.`;
};

/** What the dialog is for. */
const titleOf = ({ proposal, needsAnotherPerson: asksSomebodyElse, number }: Making): string => {
  const begin = proposal ? 'Proposal: make' : asksSomebodyElse ? 'Propose to make' : 'Make';
  return `${begin} version ${number ?? ''} live`;
};

/** A remedy is written onto the screen, so that it fits only what the screen shows. */
const useRemedy = (
  { versions }: Loaded,
  { target, turnToScreen }: Making,
  editing: Editing,
): DefaultRemedy => {
  const { document } = editing.present;
  const isOnScreen = target === 'screen' || (target.version === versions[0]?.id && !editing.isDirty);
  return {
    fits: (path) => isOnScreen && !isSame(withDefault(document, path, anyText), document),
    take: (path) => {
      editing.change(withDefault(document, path, anyText));
      turnToScreen();
    },
  };
};

const Meanwhile = ({ newer, authors }: { newer: Making['newer']; authors: Authors }) => (
  <p className={styles.notice} role="alert">
    Meanwhile{' '}
    {newer
      ? `version ${newer.version_number}, written by ${authors.nameOf(newer.created_by)}, was made live`
      : 'another version was made live'}
    . Nothing has been changed by you. Look at the differences again before you go on.
  </p>
);

/** Who uses the template, and what stored data makes of the version. */
const Meaning = ({
  making: { use, impact },
  remedy,
}: {
  making: Making;
  remedy: DefaultRemedy | undefined;
}) => (
  <>
    {use.data && <UsedBy use={use.data} />}
    {impact.data && <Impact impact={impact.data} remedy={remedy} />}
    {impact.isFetching && !impact.data && <Loading label="Looking at stored data" lines={2} />}
    {impact.isError && <Problem error={impact.error} />}
  </>
);

const AcceptBreaks = ({
  making: { breaks, accepts, accept, needsAnotherPerson: asksSomebodyElse },
}: {
  making: Making;
}) =>
  breaks > 0 &&
  !asksSomebodyElse && (
    <CheckField
      label={`Make it live although ${breaks === 1 ? 'a piece' : `${breaks} pieces`} of stored data ${breaks === 1 ? 'breaks' : 'break'}`}
      hint="Those messages fail until their data is mended."
      checked={accepts}
      onChange={({ target }) => accept(target.checked)}
    />
  );

/** What does not compile cannot be saved; another failure of the look ahead keeps nobody from rolling back. */
const isReady = ({
  impact,
  breaks,
  accepts,
  isAsking,
  needsAnotherPerson: asksSomebodyElse,
}: Making): boolean => {
  const isBroken = impact.error instanceof ApiError && impact.error.code === 'compilation_failed';
  // Who accepts a proposal accepts what it breaks.
  const isAccepted = breaks === 0 || accepts || asksSomebodyElse;
  return !impact.isFetching && !isAsking && !isBroken && isAccepted;
};

/** What the main button does; undefined where there is none, or it must wait. */
const mainAct = (making: Making, isPossible: boolean) => {
  const { needsAnotherPerson: asksSomebodyElse, isChanged, proposal, propose, activate } = making;
  if (isChanged || propose.isSuccess || (asksSomebodyElse && proposal)) return undefined;
  return isPossible && isReady(making) ? (asksSomebodyElse ? propose : activate) : undefined;
};

/** Whether it is not known yet what the main button does. */
const isUndecided = ({ impact, isAsking, version }: Making): boolean =>
  impact.isFetching || isAsking || version.isLoading;

/** What is decided, below everything that it is decided by: a proposal is accepted or declined in one place. */
const Decision = ({
  making,
  isPossible,
  onClose,
}: {
  making: Making;
  /** Whether there is something that can be made live. */
  isPossible: boolean;
  onClose: () => void;
}) => {
  const { proposal, activate, propose, isChanged, newer, needsAnotherPerson: asksSomebodyElse } = making;
  const [declines, decline] = useState<boolean>();
  if (proposal && declines)
    return <Decline proposal={proposal} onDone={onClose} onBack={() => decline(false)} />;
  if (propose.isSuccess) {
    return (
      <FormEnd key="proposed" error={<Proposed live={making.live} />}>
        <Button look="primary" autoFocus onClick={onClose}>
          Done
        </Button>
      </FormEnd>
    );
  }
  const needsProposal = asksSomebodyElse && !isChanged;
  const act = needsProposal ? propose : activate;
  const main = mainAct(making, isPossible);
  return (
    <FormEnd
      error={
        <>
          {needsProposal && making.isLate && <NeedsAnotherPerson proposal={proposal} />}
          {!isChanged && <Problem error={act.error} />}
        </>
      }
    >
      <Button onClick={onClose}>Cancel</Button>
      {proposal && (
        <Button look="danger" autoFocus={declines === false} onClick={() => decline(true)}>
          Decline…
        </Button>
      )}
      {isChanged && (
        <Button look="primary" disabled={newer === undefined} onClick={making.lookAgain}>
          Compare with the live version
        </Button>
      )}
      {!isChanged && !(needsProposal && proposal) && (
        <Button
          look="primary"
          busy={act.isPending || isUndecided(making)}
          disabled={main === undefined && !isUndecided(making)}
          data-begins={making.target !== 'screen' || undefined}
          onClick={() => main?.mutate()}
        >
          {needsProposal ? 'Propose it' : proposal ? 'Accept' : 'Make live'}
        </Button>
      )}
    </FormEnd>
  );
};

/** Makes a version live, or what is on the screen, after showing what that changes: forwards, or back to an older one. */
export const MakeLive = ({
  loaded,
  begun,
  editing,
  keeper,
  given,
  sender,
  authors,
  onDone,
  onClose,
}: {
  loaded: Loaded;
  begun: Target;
  editing: Editing;
  keeper: DraftKeeper | undefined;
  given: Omit<Evaluated, 'blocks'>;
  sender: Sender;
  authors: Authors;
  onDone: (outcome: { number: number; isFirst: boolean }) => void;
  onClose: () => void;
}) => {
  const { template } = loaded;
  const making = useMakeLive(loaded, begun, editing, keeper, onDone);
  const { target, number, proposal, live, version, isChanged, newer } = making;
  const isScreen = target === 'screen';
  const after = isScreen ? editing.present.document.blocks : version.data?.blocks;
  const remedy = useRemedy(loaded, making, editing);
  const isPossible = after !== undefined && template.lifecycle !== 'archived';
  return (
    <Dialog wide title={titleOf(making)} onClose={onClose}>
      <div className={styles.body}>
        {proposal && <ProposalWords proposal={proposal} />}
        {making.needsAnotherPerson && !making.isLate && <NeedsAnotherPerson proposal={proposal} />}
        <p>{introduction(making, template.key)}</p>
        {isScreen && !making.propose.isSuccess && (
          <Form onSubmit={() => mainAct(making, isPossible)?.mutate()}>
            <TextField
              label="Note"
              value={making.note}
              maxLength={500}
              placeholder="What is new, as in “shorter header”"
              onChange={({ target: input }) => making.setNote(input.value)}
            />
          </Form>
        )}
        {!isScreen && editing.isDirty && (
          <p className={styles.notice}>
            What you have not saved yet is not part of version {number}. It stays in the draft.
          </p>
        )}
        {isChanged && <Meanwhile newer={newer} authors={authors} />}
        {version.isError && <Failure error={version.error} onRetry={() => void version.refetch()} />}
        {after === undefined && !version.isError && <Loading label="Loading the version" />}
        {after !== undefined && (
          <BeforeAfter
            before={
              live === null
                ? undefined
                : { title: `Live: version ${live.version_number}`, blocks: live.blocks }
            }
            after={{ title: `Version ${number}`, blocks: after }}
            given={given}
            sender={sender}
          />
        )}
        <Meaning making={making} remedy={keeper && remedy} />
        <AcceptBreaks making={making} />
        <Decision making={making} isPossible={isPossible} onClose={onClose} />
      </div>
    </Dialog>
  );
};
