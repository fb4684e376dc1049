import type { ActivationPolicy, Organization } from '@stanza/contracts';
import { api } from '../../api/operations.ts';
import { useActing } from '../../api/session-context.ts';
import { useChange, useRead } from '../../api/use-api.ts';
import { Allowed, useMay } from '../../shell/allowed.tsx';
import { CheckField, SelectField } from '../../ui/field.tsx';
import { Problem } from '../../ui/form.tsx';
import { Answer } from '../../ui/listing.tsx';
import { Card, Section } from '../../ui/page.tsx';

const activations = [
  ['anyone', 'Anyone whose role or key allows it'],
  ['person', 'A person, no key'],
  ['another_person', 'Another person than the author'],
] as const satisfies readonly (readonly [ActivationPolicy, string])[];

const activationIn = (text: string): ActivationPolicy =>
  activations.find(([it]) => it === text)?.[0] ?? 'another_person';

const Choice = ({ organization }: { organization: Organization }) => {
  const updating = useChange(api.updateOrganization);
  const isKey = useActing().session.kind === 'key';
  const isFixed = !useMay('organizations:write') || updating.isPending;
  const params = { id: organization.id };
  return (
    <>
      <SelectField
        label="Who makes a version live"
        hint={
          isKey
            ? 'Only a person changes this policy. Sign in as a person to do so.'
            : 'With “another person”, whoever wrote or proposed a version cannot make it live.'
        }
        value={organization.activation}
        options={activations}
        disabled={isFixed || isKey}
        onChange={({ target }) =>
          updating.mutate({ params, body: { activation: activationIn(target.value) } })
        }
      />
      <CheckField
        label="Making a version live is refused when stored data would break"
        hint="Schedules and queues hold data that the new version may not understand. Ticked, whoever makes it live must say that they accept it; not ticked, they are warned."
        checked={organization.guard_activation}
        disabled={isFixed}
        onChange={({ target }) => updating.mutate({ params, body: { guard_activation: target.checked } })}
      />
      <p role="status">{updating.isSuccess && 'The policies are saved.'}</p>
      <Problem error={updating.error} />
    </>
  );
};

/** What the organization asks of everybody who makes versions live. */
export const Policies = () => {
  const { place } = useActing();
  return (
    <Section title="Policies" about="They hold for everybody, in both environments.">
      <Answer asked={useRead(api.getOrganization, { params: { id: place.organization } })} lines={2}>
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
