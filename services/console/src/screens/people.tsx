import type { Invitation, OrganizationUser } from '@stanza/contracts';
import { useState } from 'react';
import { api } from '../api/operations.ts';
import { useActing } from '../api/session-context.ts';
import { useChange, useRead } from '../api/use-api.ts';
import { Allowed, useMay } from '../shell/allowed.tsx';
import { useFilters } from '../shell/use-filters.ts';
import { StateBadge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm.tsx';
import { Dialog, FormEnd } from '../ui/dialog.tsx';
import { SelectField, TextArea, TextField } from '../ui/field.tsx';
import { Form, Problem } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Listing } from '../ui/listing.tsx';
import { PageHead, Section } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import styles from './people.module.css';

const roles = [
  ['viewer', 'viewer: reads everything but people and keys'],
  ['member', 'member: writes templates and sends messages'],
  ['admin', 'admin: also queues, destinations, keys and people'],
] as const;

type Grantable = (typeof roles)[number][0];

const roleIn = (text: string): Grantable => roles.find(([role]) => role === text)?.[0] ?? 'viewer';

const nameOf = ({ first_name, last_name, email }: OrganizationUser): string =>
  [first_name, last_name].filter(Boolean).join(' ') || email;

const Invite = ({ onClose }: { onClose: () => void }) => {
  const { place } = useActing();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Grantable>('member');
  const [message, setMessage] = useState('');
  const [outcome, setOutcome] = useState<string>();
  const inviting = useChange(api.invite, ({ email_sent, invitation_id }) =>
    setOutcome(
      email_sent
        ? `The invitation is on its way to ${email}.`
        : `No mail was sent, since no mail server took it. They can accept it by its id: ${invitation_id}`,
    ),
  );
  const body = { email, role, ...(message !== '' && { message }) };
  if (outcome !== undefined) {
    return (
      <Dialog title="Invited" onClose={onClose}>
        <Form onSubmit={onClose}>
          <p role="status">{outcome}</p>
          <FormEnd>
            <Button type="submit" look="primary">
              Done
            </Button>
          </FormEnd>
        </Form>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title="Invite a person"
      onClose={onClose}
      asked={inviting}
      submit="Invite"
      onSubmit={() => inviting.mutate({ params: { id: place.organization }, body })}
    >
      <TextField
        label="E-mail address"
        type="email"
        required
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
      <SelectField
        label="Role"
        value={role}
        options={roles}
        onChange={({ target }) => setRole(roleIn(target.value))}
      />
      <TextArea
        label="Message"
        hint="Shown in the mail; may be left out"
        value={message}
        onChange={({ target }) => setMessage(target.value)}
      />
    </FormDialog>
  );
};

const RoleChoice = ({ member }: { member: OrganizationUser }) => {
  const mayChange = useMay('organizations:write');
  const { place } = useActing();
  const [wanted, want] = useState<Grantable>();
  const [before, remember] = useState<Grantable>();
  const updating = useChange(api.updateMember);
  if (!mayChange || member.role === 'owner') return member.role;
  const change = (role: Grantable, then?: Grantable): void =>
    updating.mutate(
      { params: { id: place.organization, user_id: member.id }, body: { role } },
      {
        onSuccess: () => {
          want(undefined);
          remember(then);
        },
      },
    );
  return (
    <>
      <select
        className={styles.role}
        aria-label={`Role of ${nameOf(member)}`}
        value={member.role}
        disabled={updating.isPending}
        onChange={({ target }) => want(roleIn(target.value))}
      >
        {roles.map(([role]) => (
          <option key={role}>{role}</option>
        ))}
      </select>
      {before && (
        <p role="status">
          {nameOf(member)} is {member.role} now.{' '}
          <Button look="quiet" busy={updating.isPending} onClick={() => change(before)}>
            Undo
          </Button>
        </p>
      )}
      {wanted && (
        <FormDialog
          title={`Make ${nameOf(member)} ${wanted}?`}
          onClose={() => want(undefined)}
          asked={updating}
          submit="Change the role"
          onSubmit={() => change(wanted, roleIn(member.role))}
        >
          <p>
            {roles.find(([role]) => role === wanted)?.[1]}. It holds at once, here, in both environments, and
            for the keys of {nameOf(member)}.
          </p>
        </FormDialog>
      )}
      {!wanted && <Problem error={updating.error} />}
    </>
  );
};

const MemberActions = ({ member }: { member: OrganizationUser }) => {
  const { place } = useActing();
  const mayRemove = useMay('users:write');
  const mayTransfer = useMay('organizations:transfer');
  const removing = useChange(api.removeMember);
  const transferring = useChange(api.transferOwnership);
  if (member.role === 'owner') return null;
  return (
    <>
      {mayTransfer && (
        <ConfirmButton
          label="Make owner"
          look="quiet"
          title={`Make ${nameOf(member)} the owner?`}
          act={() =>
            transferring.mutateAsync({ params: { id: place.organization }, body: { user_id: member.id } })
          }
          change={transferring}
        >
          There is one owner. The owner so far becomes an admin.
        </ConfirmButton>
      )}
      {mayRemove && (
        <ConfirmButton
          label="Remove"
          title={`Remove ${nameOf(member)}?`}
          act={() => removing.mutateAsync({ params: { id: member.id } })}
          change={removing}
        >
          Their sessions are refused at once, and all of their keys of this organization are revoked.
        </ConfirmButton>
      )}
    </>
  );
};

const Invitations = () => {
  const { place } = useActing();
  const [offset, setOffset] = useState(0);
  const mayRevoke = useMay('organizations:write');
  const asked = useRead(api.listInvitations, { params: { id: place.organization }, query: { offset } });
  const revoking = useChange(api.revokeInvitation);
  return (
    <Section title="Invitations" about="An invitation is accepted by the link in its mail.">
      <Listing<Invitation>
        label="Invitations"
        asked={asked}
        rowKey={({ id }) => id}
        onOffset={setOffset}
        columns={[
          { title: 'To', cell: ({ email }) => email },
          { title: 'Role', cell: ({ role }) => role },
          { title: 'State', cell: ({ status }) => <StateBadge state={status} /> },
          { title: 'Ends', cell: ({ expires_at }) => <Time at={expires_at} /> },
          {
            title: '',
            cell: ({ id, email, status }) =>
              mayRevoke &&
              status === 'pending' && (
                <ConfirmButton
                  label="Revoke"
                  title={`Revoke the invitation of ${email}?`}
                  act={() => revoking.mutateAsync({ params: { id: place.organization, invitation_id: id } })}
                  change={revoking}
                >
                  The link in its mail leads nowhere from then on.
                </ConfirmButton>
              ),
          },
        ]}
        empty={
          <Empty title="No invitation">Invite colleagues by e-mail, with the role that they need.</Empty>
        }
      />
    </Section>
  );
};

/** Members of the organization, their roles, and invitations. */
export const People = () => {
  const { place, organization } = useActing();
  const { offset, set } = useFilters();
  const [isInviting, invite] = useState(false);
  const maySeeInvitations = useMay('users:read');
  const asked = useRead(api.listMembers, { params: { id: place.organization }, query: { offset } });
  return (
    <>
      <PageHead
        title="People"
        actions={
          <Allowed scope="organizations:write" to="to invite people">
            <Button look="primary" onClick={() => invite(true)}>
              Invite a person
            </Button>
          </Allowed>
        }
      >
        Members of {organization.name}, in both environments. A role says what somebody may do, and what their
        keys may.
      </PageHead>
      <Listing<OrganizationUser>
        label="Members"
        asked={asked}
        rowKey={({ id }) => id}
        onOffset={(to) => set({ offset: to })}
        columns={[
          { title: 'Name', cell: nameOf },
          { title: 'E-mail', cell: ({ email }) => email },
          { title: 'Role', cell: (member) => <RoleChoice member={member} /> },
          { title: 'Joined', cell: ({ joined_at }) => <Time at={joined_at} /> },
          { title: 'Last seen', cell: ({ last_active }) => <Time at={last_active} /> },
          { title: '', cell: (member) => <MemberActions member={member} /> },
        ]}
        empty={<Empty title="No member">Invite the first one.</Empty>}
      />
      {maySeeInvitations && <Invitations />}
      {isInviting && <Invite onClose={() => invite(false)} />}
    </>
  );
};
