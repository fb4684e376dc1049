import type { ActivationPolicy, Organization } from '@stanza/contracts';
import { useState } from 'react';
import { api } from '../../api/operations.ts';
import { ApiError } from '../../api/request.ts';
import { useActing } from '../../api/session-context.ts';
import { useChange, useRead } from '../../api/use-api.ts';
import { Allowed, useMay } from '../../shell/allowed.tsx';
import { type Change, Confirm } from '../../ui/confirm.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { CheckField, SelectField } from '../../ui/field.tsx';
import { Problem } from '../../ui/form.tsx';
import { Answer } from '../../ui/listing.tsx';
import { Card, Section } from '../../ui/page.tsx';
import styles from './policies.module.css';

const activations = [
  ['anyone', 'Anyone whose role or key allows it'],
  ['person', 'A person, no key'],
  ['another_person', 'Another person than the author'],
] as const satisfies readonly (readonly [ActivationPolicy, string])[];

const activationIn = (text: string): ActivationPolicy =>
  activations.find(([it]) => it === text)?.[0] ?? 'another_person';

/** What the choice means, or why it is fixed. */
const hintOf = (isKey: boolean, isLocked: boolean): string => {
  if (isLocked) {
    return 'Whoever wrote or proposed a version cannot make it live. Nobody in the organization can lift this: ask whoever runs this installation to change it.';
  }
  return isKey
    ? 'Only a person changes this policy. Sign in as a person to do so.'
    : 'With “another person”, whoever wrote or proposed a version cannot make it live. It holds at once, and only whoever runs this installation can take it back.';
};

/** A door that opens from outside alone: what it asks for is said before it closes. */
const AskForAnotherPerson = ({
  updating,
  act,
  onClose,
}: {
  updating: Change;
  act: () => Promise<unknown>;
  onClose: () => void;
}) => (
  <Confirm
    title="Ask for another person from now on?"
    confirmLabel="Ask for another person"
    act={act}
    change={updating}
    onClose={onClose}
  >
    <div className={styles.consequences}>
      <ul>
        <li>
          Whoever wrote or proposed a version cannot make it live. Another person looks at it and accepts.
        </li>
        <li>Keys and agents make nothing live any more.</li>
        <li>Settings of a live template, such as its sender, cannot be changed in place.</li>
        <li>At least two people need a role that makes versions live.</li>
      </ul>
      <p>
        <strong>You cannot take this back.</strong> Nobody in the organization can lift it afterwards, neither
        an admin nor the owner. Only whoever runs this installation can.
      </p>
    </div>
  </Confirm>
);

/** Somebody else may have closed the door since the page was read. */
const Refusal = ({ error }: { error: Error | null }) =>
  error instanceof ApiError && error.code === 'access_denied' ? (
    <p role="alert">
      This cannot be changed from inside the organization, so it stays as it was. Ask whoever runs this
      installation to change it.
    </p>
  ) : (
    <Problem error={error} />
  );

const ForTheOperator = ({ id }: { id: string }) => (
  <details>
    <summary>For whoever runs this installation</summary>
    <Copyable
      label="Command that lifts the policy"
      text={`npm run admin -- organization set-activation ${id} person`}
    />
  </details>
);

const Choice = ({ organization }: { organization: Organization }) => {
  const updating = useChange(api.updateOrganization);
  const [isAsking, ask] = useState(false);
  const isKey = useActing().session.kind === 'key';
  const isFixed = !useMay('organizations:write');
  const isLocked = organization.activation === 'another_person';
  const params = { id: organization.id };
  const choose = (activation: ActivationPolicy): void => {
    if (activation === 'another_person') ask(true);
    else updating.mutate({ params, body: { activation } });
  };
  return (
    <>
      <SelectField
        label="Who makes a version live"
        hint={hintOf(isKey, isLocked)}
        value={organization.activation}
        options={activations}
        disabled={isFixed || isKey || isLocked}
        onChange={({ target }) => choose(activationIn(target.value))}
      />
      {isLocked && <ForTheOperator id={organization.id} />}
      <CheckField
        label="Making a version live is refused when stored data would break"
        hint="Schedules and queues hold data that the new version may not understand. Ticked, whoever makes it live must say that they accept it; not ticked, they are warned. A change holds at once."
        checked={organization.guard_activation}
        disabled={isFixed}
        onChange={({ target }) => updating.mutate({ params, body: { guard_activation: target.checked } })}
      />
      <p role="status">{updating.isSuccess && 'The policies are saved.'}</p>
      {!isAsking && <Refusal error={updating.error} />}
      {isAsking && (
        <AskForAnotherPerson
          // What failed is forgotten with the dialog; that it was saved is still said.
          updating={{ ...updating, reset: () => updating.error && updating.reset() }}
          act={() => updating.mutateAsync({ params, body: { activation: 'another_person' } })}
          onClose={() => ask(false)}
        />
      )}
    </>
  );
};

/** What the organization asks of everybody who makes versions live. */
export const Policies = () => {
  const { place } = useActing();
  return (
    <Section title="Policies" about="They hold for everybody, in both environments.">
      <Answer read={useRead(api.getOrganization, { params: { id: place.organization } })} lines={2}>
        {(organization) => (
          <Card>
            <Choice organization={organization} />
            <Allowed scope="organizations:write" to="to change policies">
              {null}
            </Allowed>
          </Card>
        )}
      </Answer>
    </Section>
  );
};
