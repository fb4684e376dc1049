import { describe, expect, it } from '@jest/globals';
import { invitationLink, invitationMail } from './invitation-mail.ts';

const facts = {
  organization: 'Acme Rockets',
  inviter: 'Olive Owner',
  role: 'member',
  message: 'Welcome aboard.',
  page: 'https://stanza.example.com/join?from=mail',
  token: 'a-token_1',
  expiresAt: new Date('2026-11-28T08:00:00.000Z'),
};

describe('the mail of an invitation', () => {
  it('names the inviter, the organization, the role and the expiry, with the link and the message', () => {
    expect(invitationMail(facts)).toEqual({
      subject: 'Invitation to Acme Rockets',
      text: [
        'You have been invited by Olive Owner to join Acme Rockets as member.',
        'Welcome aboard.',
        'To accept, follow this link and sign in with this e-mail address:',
        'https://stanza.example.com/join?from=mail&token=a-token_1',
        'The invitation is for you alone and expires on 2026-11-28.\n',
      ].join('\n\n'),
    });
  });

  it('leaves out unknown details', () => {
    const { text } = invitationMail({ ...facts, inviter: undefined, message: ' ' });
    expect(text).toMatch(/^You have been invited to join Acme Rockets as member\.\n\nTo accept/);
  });

  it('contains the token where no page accepts invitations', () => {
    const { text } = invitationMail({ ...facts, page: undefined });
    expect(text).toContain('POST /v1/invitations/accept with this token:\n\na-token_1');
  });

  it('has a subject of one line, whatever the name of the organization contains', () => {
    const { subject } = invitationMail({ ...facts, organization: 'Acme\r\nBcc: eve@example.com' });
    expect(subject).toBe('Invitation to Acme Bcc: eve@example.com');
  });

  it("links to the page and keeps the page's own query", () => {
    expect(invitationLink('https://stanza.example.com/#/join', 'a b')).toBe(
      'https://stanza.example.com/?token=a+b#/join',
    );
  });
});
