import type { Promotion, Template } from '@stanza/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/operations.ts';
import { ApiError, type Place } from '../../api/request.ts';
import { useActing } from '../../api/session-context.ts';
import { call } from '../../api/use-api.ts';
import { newId } from '../../editor/document/new-id.ts';
import { useMay } from '../../shell/allowed.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DoneDialog, FormEnd } from '../../ui/dialog.tsx';
import { CheckField } from '../../ui/field.tsx';
import { Form, Problem } from '../../ui/form.tsx';
import { Answer } from '../../ui/listing.tsx';
import { Empty } from '../../ui/states.tsx';
import { PromotionPlan } from './promotion-plan.tsx';
import styles from './templates.module.css';

/** The environment that is not this one. */
const otherOf = ({ environment }: Place): Place['environment'] =>
  environment === 'preview' ? 'production' : 'preview';

const useTemplatesThere = (place: Place) =>
  useQuery({
    queryKey: [place.organization, place.environment, 'to be promoted'],
    queryFn: ({ signal }) =>
      call(
        api.listTemplates,
        place,
        { query: { limit: 100, sort: 'name', lifecycle: 'active' } },
        { signal },
      ),
  });

/** What is chosen, and how it is to be copied. */
interface Choice {
  readonly keys: readonly string[];
  readonly activate: boolean;
  readonly accepts: boolean;
}

const usePromotion = (from: Place['environment'], onDone: (promotion: Promotion) => void) => {
  const { place } = useActing();
  const queries = useQueryClient();
  const [requestKey, setKey] = useState(newId);
  const ask = ({ keys, activate, accepts }: Choice, dry_run: boolean) =>
    call(
      api.promote,
      place,
      { body: { from, keys: [...keys], activate, dry_run, ...(activate && { accept_breaks: accepts }) } },
      { headers: { 'Idempotency-Key': `console-${dry_run ? newId() : requestKey}` } },
    );
  return {
    look: useMutation({ mutationFn: (choice: Choice) => ask(choice, true) }),
    promote: useMutation({
      mutationFn: (choice: Choice) => ask(choice, false),
      onSuccess: async (promotion) => {
        onDone(promotion);
        await queries.invalidateQueries({ queryKey: [place.organization, place.environment] });
      },
      onError: (error) => {
        // A request whose answer was lost is repeated as it was; after an answer the next one is another.
        if (error instanceof ApiError && error.status !== 0) setKey(newId());
      },
    }),
  };
};

const Choosing = ({
  templates,
  chosen,
  onChoose,
}: {
  templates: readonly Template[];
  chosen: readonly string[];
  onChoose: (keys: readonly string[]) => void;
}) => (
  <fieldset className={styles.choices}>
    <legend>Templates</legend>
    {templates.map(({ key, name }) => (
      <CheckField
        key={key}
        label={name}
        hint={key}
        checked={chosen.includes(key)}
        onChange={({ target }) =>
          onChoose(target.checked ? [...chosen, key] : chosen.filter((it) => it !== key))
        }
      />
    ))}
  </fieldset>
);

const Done = ({ promotion, onClose }: { promotion: Promotion; onClose: () => void }) => (
  <DoneDialog title="Promoted" onClose={onClose}>
    <p role="status">
      {promotion.changed
        ? `It is copied into ${promotion.to}.`
        : 'Everything was there already; nothing changed.'}
    </p>
    <PromotionPlan promotion={promotion} />
  </DoneDialog>
);

const Steps = ({ templates, onClose }: { templates: readonly Template[]; onClose: () => void }) => {
  const { place } = useActing();
  const from = otherOf(place);
  const mayActivate = useMay('templates:activate');
  const [keys, choose] = useState<readonly string[]>([]);
  const [activate, setActivate] = useState(false);
  const [accepts, accept] = useState(false);
  const [done, finish] = useState<Promotion>();
  const { look, promote } = usePromotion(from, finish);
  if (done) return <Done promotion={done} onClose={onClose} />;
  const choice = { keys, activate, accepts };
  const plan = look.data;
  const again = (): void => {
    look.reset();
    promote.reset();
    accept(false);
  };
  const isBlocked = plan?.unmapped.some(({ is_blocking }) => is_blocking) ?? false;
  const breaks = activate ? (plan?.templates.flatMap((it) => it.breaks).length ?? 0) : 0;
  return (
    <Dialog wide={plan !== undefined} title={`Promote from ${from}`} onClose={onClose}>
      <Form onSubmit={() => (plan ? promote.mutate(choice) : look.mutate({ ...choice, accepts: true }))}>
        <p>
          Copies templates with their saved data from {from} into {place.environment}. You see first what
          would be done.
        </p>
        {plan === undefined ? (
          <>
            <Choosing templates={templates} chosen={keys} onChoose={choose} />
            {mayActivate && (
              <CheckField
                label="Make them live"
                hint="Otherwise each is a version that somebody makes live later, as where the policy asks for another person."
                checked={activate}
                onChange={({ target }) => setActivate(target.checked)}
              />
            )}
          </>
        ) : (
          <PromotionPlan promotion={plan} onCopied={() => look.mutate({ ...choice, accepts: true })} />
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
            {plan ? 'Promote' : 'See what it would do'}
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
  if (there.data === undefined || there.data.data.length === 0) {
    return (
      <Dialog title={`Promote from ${from}`} onClose={onClose}>
        <Answer asked={there}>
          {() => (
            <Empty title={`There is no template in ${from}`}>
              Write one there first, and bring it here once it is right.
            </Empty>
          )}
        </Answer>
      </Dialog>
    );
  }
  return <Steps templates={there.data.data} onClose={onClose} />;
};

/** Copies templates from the other environment, after a look at what that would do. A key reaches one environment alone. */
export const PromoteButton = () => {
  const { place, session } = useActing();
  const mayCreate = useMay('templates:create');
  const mayUpdate = useMay('templates:update');
  const [isOpen, open] = useState(false);
  if (session.kind === 'key' || !mayCreate || !mayUpdate) return null;
  return (
    <>
      <Button onClick={() => open(true)}>Promote from {otherOf(place)}</Button>
      {isOpen && <FromOther onClose={() => open(false)} />}
    </>
  );
};
