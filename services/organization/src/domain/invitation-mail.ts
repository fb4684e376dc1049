/** The contents of an invitation mail. */
export interface InvitationFacts {
  organization: string;
  /** Name or address of the inviting person. */
  inviter: string | undefined;
  role: string;
  message?: string | undefined;
  /** The operator's page that accepts invitations. */
  page: string | undefined;
  token: string;
  expiresAt: Date;
}

/** The page's URL with the token in its query. */
export const invitationLink = (page: string, token: string): string => {
  const link = new URL(page);
  link.searchParams.set('token', token);
  return link.href;
};

const howTo = ({ page, token }: InvitationFacts): string =>
  page === undefined
    ? `To accept, sign in and call POST /v1/invitations/accept with this token:\n\n${token}`
    : `To accept, follow this link and sign in with this e-mail address:\n\n${invitationLink(page, token)}`;

/** The mail of an invitation. Header values are reduced to one line, whatever the name of the organization contains. */
export const invitationMail = (facts: InvitationFacts): { subject: string; text: string } => {
  const { organization, inviter, role, message, expiresAt } = facts;
  const by = inviter === undefined ? '' : ` by ${inviter}`;
  const paragraphs = [
    `You have been invited${by} to join ${organization} as ${role}.`,
    ...(message === undefined || message.trim() === '' ? [] : [message]),
    howTo(facts),
    `The invitation is for you alone and expires on ${expiresAt.toISOString().slice(0, 10)}.`,
  ];
  return {
    subject: `Invitation to ${organization}`.replaceAll(/\s+/g, ' '),
    text: `${paragraphs.join('\n\n')}\n`,
  };
};
