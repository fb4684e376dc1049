import type { Invitation, inviteMember, ReplyOf } from '@stanza/contracts';
import { useState } from 'react';
import { api } from '../api/operations.ts';
import { useActing } from '../api/session-context.ts';
import { useChange, useRead } from '../api/use-api.ts';
import { useMay } from '../shell/allowed.tsx';
import { StateBadge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm.tsx';
import { Copyable, CopyButton } from '../ui/copyable.tsx';
import { Dialog, FormEnd } from '../ui/dialog.tsx';
import { SelectField, TextArea, TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Listing } from '../ui/listing.tsx';
import { Section } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { type Grantable, roleIn, roles } from './people-roles.ts';

/** Where an invitation is accepted. */
const linkOf = (id: string): string => `${window.location.origin}/console/join?invitation=${id}`;

/** Asks for an address and a role, and then shows the link of the invitation. */
export const Invite = ({ onClose }: { onClose: () => void }) => {
  const { place } = useActing();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Grantable>('member');
  const [message, setMessage] = useState('');
  const [invited, setInvited] = useState<ReplyOf<typeof inviteMember>>();
  const inviting = useChange(api.invite, setInvited);
  const body = { email, role, ...(message !== '' && { message }) };
  if (invited !== undefined) {
    return (
      <Dialog title="Invited" onClose={onClose}>
        <Form onSubmit={onClose}>
          <p role="status">
            {invited.email_sent
              ? `The invitation is on its way to ${email}.`
              : `No mail was sent, since no mail server took it. Hand the link to ${email} yourself.`}
          </p>
          <Copyable label="Link of the invitation" text={linkOf(invited.invitation_id)} />
          <p>Nobody but {email} can use it, signed in with this address.</p>
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
      mutation={inviting}
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

/** The invitations of the organization, each with its link. */
export const Invitations = () => {
  const { place } = useActing();
  const [offset, setOffset] = useState(0);
  const mayRevoke = useMay('organizations:write');
  const read = useRead(api.listInvitations, { params: { id: place.organization }, query: { offset } });
  const revoking = useChange(api.revokeInvitation);
  return (
    <Section
      title="Invitations"
      about="An invitation is accepted by its link, by the person of its address alone."
    >
      <Listing<Invitation>
        label="Invitations"
        read={read}
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
              status === 'pending' && (
                <>
                  <CopyButton text={linkOf(id)} name={`Copy link for ${email}`}>
                    Copy link
                  </CopyButton>
                  {mayRevoke && (
                    <ConfirmButton
                      label="Revoke"
                      name={`Revoke the invitation of ${email}`}
                      title={`Revoke the invitation of ${email}?`}
                      act={() =>
                        revoking.mutateAsync({ params: { id: place.organization, invitation_id: id } })
                      }
                      change={revoking}
                    >
                      Its link leads nowhere from then on.
                    </ConfirmButton>
                  )}
                </>
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
