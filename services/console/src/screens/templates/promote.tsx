import type { Template } from '@stanza/contracts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { allPages } from '../../api/all-pages.ts';
import { api } from '../../api/operations.ts';
import type { Place } from '../../api/request.ts';
import { useActing } from '../../api/session-context.ts';
import { call } from '../../api/use-api.ts';
import { useActivationPolicy } from '../../editor/versions/use-refusal.ts';
import { useMay } from '../../shell/allowed.tsx';
import { useFilters } from '../../shell/use-filters.ts';
import { Button } from '../../ui/button.tsx';
import { ChoiceList } from '../../ui/choice-list.tsx';
import { Dialog, DoneDialog, FormEnd } from '../../ui/dialog.tsx';
import { CheckField } from '../../ui/field.tsx';
import { Form, Problem } from '../../ui/form.tsx';
import { Answer } from '../../ui/listing.tsx';
import { Empty } from '../../ui/states.tsx';
import { counted } from '../../ui/words.ts';
import { PromotionPlan } from './promotion-plan.tsx';
import { type Choice, type Promoted, usePromotion } from './use-promotion.ts';

/** The environment that is not this one. */
const otherOf = ({ environment }: Place): Place['environment'] =>
  environment === 'preview' ? 'production' : 'preview';

const useTemplatesThere = (place: Place) =>
  useQuery({
    queryKey: [place.organization, place.environment, 'to be promoted'],
    queryFn: ({ signal }) =>
      allPages((page) =>
        call(api.listTemplates, place, { query: { ...page, sort: 'name', lifecycle: 'active' } }, { signal }),
      ),
  });

const Choosing = ({
  templates,
  chosen,
  onChoose,
}: {
  templates: readonly Template[];
  chosen: readonly string[];
  onChoose: (keys: readonly string[]) => void;
}) => (
  <ChoiceList
    legend="Templates"
    search="Search templates"
    choices={templates.map(({ key, name }) => [key, name, key] as const)}
    isChosen={(key) => chosen.includes(key)}
    onChoose={(key, isChosen) => onChoose(isChosen ? [...chosen, key] : chosen.filter((it) => it !== key))}
  />
);

const proposedText = (count: number): string =>
  count === 0
    ? 'No version is new, so none is proposed.'
    : `${counted(count, 'version')} ${count === 1 ? 'is' : 'are'} proposed. Others find them on Templates, under “Waiting for a decision”.`;

const Done = ({
  promoted: { promotion, proposed },
  names,
  onClose,
}: {
  promoted: Promoted;
  names: ReadonlyMap<string, string>;
  onClose: () => void;
}) => (
  <DoneDialog title="Promoted" onClose={onClose}>
    <p role="status">
      {promotion.changed
        ? `It is copied into ${promotion.to}.`
        : 'Everything was there already; nothing changed.'}{' '}
      {proposed !== undefined && proposedText(proposed)}
    </p>
    <PromotionPlan promotion={promotion} names={names} />
  </DoneDialog>
);

/** What becomes of the copied versions. Whoever copies them is their author, and the policy may ask for another person. */
const AfterwardsChoice = ({
  value,
  onChange,
}: {
  value: Choice['afterwards'];
  onChange: (value: Choice['afterwards']) => void;
}) => {
  const mayActivate = useMay('templates:activate');
  const { activation, isLoading } = useActivationPolicy();
  if (isLoading) return null;
  if (activation === 'another_person') {
    return (
      <CheckField
        label="Propose them"
        hint="The policy of the organization asks for another person to make them live: you write what you copy. Otherwise each is a version that is proposed later."
        checked={value === 'propose'}
        onChange={({ target }) => onChange(target.checked ? 'propose' : 'keep')}
      />
    );
  }
  if (!mayActivate) return null;
  return (
    <CheckField
      label="Make them live"
      hint="Otherwise each version waits in its template until it is made live."
      checked={value === 'activate'}
      onChange={({ target }) => onChange(target.checked ? 'activate' : 'keep')}
    />
  );
};

const Steps = ({ templates, onClose }: { templates: readonly Template[]; onClose: () => void }) => {
  const { place } = useActing();
  const from = otherOf(place);
  const [keys, choose] = useState<readonly string[]>([]);
  const [afterwards, decide] = useState<Choice['afterwards']>('keep');
  const [accepts, accept] = useState(false);
  const [done, finish] = useState<Promoted>();
  const { look, promote } = usePromotion(from, finish);
  const names = new Map(templates.map(({ key, name }) => [key, name]));
  if (done) return <Done promoted={done} names={names} onClose={onClose} />;
  const choice = { keys, afterwards, accepts };
  const plan = look.data;
  const again = (): void => {
    look.reset();
    promote.reset();
    accept(false);
  };
  const isBlocked = plan?.unmapped.some(({ is_blocking }) => is_blocking) ?? false;
  const breaks = afterwards === 'activate' ? (plan?.templates.flatMap((it) => it.breaks).length ?? 0) : 0;
  return (
    <Dialog
      wide={plan !== undefined}
      title={`Promote from ${from} to ${place.environment}`}
      isEntered={keys.length > 0}
      onClose={onClose}
    >
      <Form onSubmit={() => (plan ? promote.mutate(choice) : look.mutate({ ...choice, accepts: true }))}>
        <p>
          Copies templates with their saved data from {from} into {place.environment}, which you are in now:
          of each the version that is live, or else the newest. You see first what would be done.
        </p>
        {plan === undefined ? (
          <>
            <Choosing templates={templates} chosen={keys} onChoose={choose} />
            <AfterwardsChoice value={afterwards} onChange={decide} />
          </>
        ) : (
          <PromotionPlan
            promotion={plan}
            names={names}
            onCopied={() => look.mutate({ ...choice, accepts: true })}
          />
        )}
        {breaks > 0 && (
          <CheckField
            label={`Promote although ${breaks === 1 ? 'a piece' : `${breaks} pieces`} of stored data ${breaks === 1 ? 'breaks' : 'break'}`}
            checked={accepts}
            onChange={({ target }) => accept(target.checked)}
          />
        )}
        <FormEnd error={<Problem error={promote.error ?? look.error} />}>
          {plan ? <Button onClick={again}>Back</Button> : <Button onClick={onClose}>Cancel</Button>}
          <Button
            type="submit"
            look="primary"
            busy={look.isPending || promote.isPending}
            disabled={keys.length === 0 || (plan !== undefined && (isBlocked || (breaks > 0 && !accepts)))}
          >
            {plan ? (afterwards === 'propose' ? 'Promote and propose' : 'Promote') : 'See what it would do'}
          </Button>
        </FormEnd>
      </Form>
    </Dialog>
  );
};

const FromOther = ({ onClose }: { onClose: () => void }) => {
  const { place } = useActing();
  const from = otherOf(place);
  const there = useTemplatesThere({ ...place, environment: from });
  if (there.data === undefined || there.data.length === 0) {
    return (
      <Dialog title={`Promote from ${from}`} onClose={onClose}>
        <Answer read={there}>
          {() => (
            <Empty title={`There is no template in ${from}`}>
              Write one there first, and bring it here once it is right.
            </Empty>
          )}
        </Answer>
      </Dialog>
    );
  }
  return <Steps templates={there.data} onClose={onClose} />;
};

/** Copies templates from the other environment, after a look at what that would do. A key reaches one environment alone. */
export const PromoteButton = () => {
  const { place, session } = useActing();
  const mayCreate = useMay('templates:create');
  const mayUpdate = useMay('templates:update');
  const { value, set } = useFilters();
  const navigate = useNavigate();
  if (session.kind === 'key' || !mayCreate || !mayUpdate) return null;
  const other = otherOf(place);
  // Templates are taken by the environment that gets them, so that is where this leads.
  const goThere = (): void =>
    void navigate({
      to: '/$organization/$environment/$screen',
      params: { ...place, environment: other, screen: 'templates' },
      search: { promote: 'open' },
    });
  return (
    <>
      <Button onClick={goThere}>Promote to {other}</Button>
      <Button onClick={() => set({ promote: 'open' })}>Promote from {other}</Button>
      {value('promote') !== '' && <FromOther onClose={() => set({ promote: '' })} />}
    </>
  );
};
