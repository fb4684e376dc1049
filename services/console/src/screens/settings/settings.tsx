import type { Organization, Profile } from '@stanza/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { api } from '../../api/operations.ts';
import { useActing } from '../../api/session-context.ts';
import { useChange, useRead } from '../../api/use-api.ts';
import { Allowed } from '../../shell/allowed.tsx';
import { Button } from '../../ui/button.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { Dialog, FormEnd } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, Pair, Problem } from '../../ui/form.tsx';
import { Answer } from '../../ui/listing.tsx';
import { Card, PageHead, Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { Policies } from './policies.tsx';

const Rename = ({ organization }: { organization: Organization }) => {
  const [typed, setName] = useState<string>();
  const name = typed ?? organization.name;
  const queries = useQueryClient();
  const updating = useChange(api.updateOrganization, () => {
    void queries.invalidateQueries({ queryKey: ['memberships'] });
  });
  return (
    <Form
      onSubmit={() =>
        updating.mutate(
          { params: { id: organization.id }, body: { name } },
          { onSuccess: () => setName((now) => (now === typed ? undefined : now)) },
        )
      }
    >
      <TextField
        label="Name"
        required
        maxLength={255}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <FormEnd error={<Problem error={updating.error} />}>
        <Button
          type="submit"
          look="primary"
          busy={updating.isPending}
          disabled={name.trim() === '' || name === organization.name}
        >
          Rename
        </Button>
      </FormEnd>
    </Form>
  );
};

const OrganizationPart = () => {
  const { place } = useActing();
  return (
    <Section title="Organization">
      <Answer read={useRead(api.getOrganization, { params: { id: place.organization } })}>
        {(organization) => (
          <Card>
            <Facts
              of={[
                ['Tier', organization.tier],
                ['Members', organization.member_count],
                ['Created', <Time key="created" at={organization.created_at} exact />],
              ]}
            />
            <Allowed scope="organizations:write" to="to rename the organization">
              <Rename organization={organization} />
            </Allowed>
            <details>
              <summary>For programs</summary>
              <Copyable label="Id of the organization" text={organization.id} />
            </details>
          </Card>
        )}
      </Answer>
    </Section>
  );
};

const Names = ({ profile }: { profile: Profile }) => {
  const [typed, type] = useState<{ first?: string; last?: string }>({});
  const { first = profile.first_name, last = profile.last_name } = typed;
  const updating = useChange(api.updateProfile);
  return (
    <Form
      onSubmit={() =>
        updating.mutate(
          { body: { first_name: first, last_name: last } },
          { onSuccess: () => type((now) => (now === typed ? {} : now)) },
        )
      }
    >
      <Pair>
        <TextField
          label="First name"
          value={first}
          autoComplete="given-name"
          onChange={({ target }) => type({ ...typed, first: target.value })}
        />
        <TextField
          label="Last name"
          value={last}
          autoComplete="family-name"
          onChange={({ target }) => type({ ...typed, last: target.value })}
        />
      </Pair>
      <FormEnd error={<Problem error={updating.error} />}>
        <Button
          type="submit"
          look="primary"
          busy={updating.isPending}
          disabled={first === profile.first_name && last === profile.last_name}
        >
          Save your names
        </Button>
      </FormEnd>
    </Form>
  );
};

const You = () => (
  <Section title="You" about="Your names, as colleagues see them in every organization.">
    <Answer read={useRead(api.getProfile)}>
      {(profile) => (
        <Card>
          <Facts of={[['E-mail', profile.email]]} />
          <Names profile={profile} />
        </Card>
      )}
    </Answer>
  </Section>
);

const DeleteOrganization = ({ onClose }: { onClose: () => void }) => {
  const { organization } = useActing();
  const [typed, setTyped] = useState('');
  const deleting = useChange(api.deleteOrganization, () => {
    // What was typed to confirm it is no loss, of which the browser would warn.
    flushSync(onClose);
    window.location.assign('/console/');
  });
  return (
    <Dialog title={`Delete ${organization.name}?`} onClose={onClose}>
      <Form onSubmit={() => deleting.mutate({ params: { id: organization.id } })}>
        <p>
          Every key and session is refused at once. Then everything is erased in both environments: templates,
          messages, queues, keys, people, the audit log. It cannot be undone.
        </p>
        <TextField
          label={`Type the name of the organization: ${organization.name}`}
          required
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <FormEnd error={<Problem error={deleting.error} />}>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            look="danger"
            busy={deleting.isPending}
            disabled={typed !== organization.name}
          >
            Delete for good
          </Button>
        </FormEnd>
      </Form>
    </Dialog>
  );
};

const End = () => {
  const [isAsking, ask] = useState(false);
  return (
    <Section title="Delete the organization" about="Everything that belongs to it, for good.">
      <Allowed scope="organizations:delete" to="to delete the organization">
        <div>
          <Button look="danger" onClick={() => ask(true)}>
            Delete the organization
          </Button>
        </div>
      </Allowed>
      {isAsking && <DeleteOrganization onClose={() => ask(false)} />}
    </Section>
  );
};

/** The organization, and the person who is signed in. */
export const Settings = () => {
  const { session } = useActing();
  return (
    <>
      <PageHead title="Settings">The organization, and how you appear in it.</PageHead>
      <OrganizationPart />
      <Policies />
      {session.kind === 'person' && <You />}
      <End />
    </>
  );
};
