import type { OrganizationUser } from '@stanza/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/operations.ts';
import { useActing } from '../api/session-context.ts';
import { useChange, useRead } from '../api/use-api.ts';
import { Allowed, useMay } from '../shell/allowed.tsx';
import { useFilters } from '../shell/use-filters.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm.tsx';
import { Problem } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Listing } from '../ui/listing.tsx';
import { PageHead } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import styles from './people.module.css';
import { Invitations, Invite } from './people-invitations.tsx';
import { type Grantable, roleIn, roles } from './people-roles.ts';

const nameOf = ({ first_name, last_name, email }: OrganizationUser): string =>
  [first_name, last_name].filter(Boolean).join(' ') || email;

/** A change of a member may be one of whoever makes it, who then sees what they may do from then on. */
const useRightsAgain = (): (() => void) => {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: ['rights'] });
};

const RoleChoice = ({ member }: { member: OrganizationUser }) => {
  const mayChange = useMay('organizations:write');
  const { place } = useActing();
  const [wanted, want] = useState<Grantable>();
  const [before, remember] = useState<Grantable>();
  const updating = useChange(api.updateMember, useRightsAgain());
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
          mutation={updating}
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
  const transferring = useChange(api.transferOwnership, useRightsAgain());
  if (member.role === 'owner') return null;
  return (
    <>
      {mayTransfer && (
        <ConfirmButton
          label="Make owner"
          name={`Make owner: ${nameOf(member)}`}
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
          name={`Remove ${nameOf(member)}`}
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

/** Members of the organization, their roles, and invitations. */
export const People = () => {
  const { place, organization } = useActing();
  const { offset, set } = useFilters();
  const [isInviting, invite] = useState(false);
  const maySeeInvitations = useMay('users:read');
  const read = useRead(api.listMembers, { params: { id: place.organization }, query: { offset } });
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
        read={read}
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
