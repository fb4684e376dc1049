/** Where a message goes, as the caller named it. */
export type Recipient = { channel_id: string } | { recipient_email: string } | { recipient_chat_id: string };

/** The three ways to name a recipient, of which a request fills exactly one. */
export interface RecipientForms {
  channel_id?: string | null | undefined;
  recipient_email?: string | null | undefined;
  recipient_chat_id?: string | null | undefined;
}

/** The same with nothing but the forms that are filled. */
export type RecipientNames = { [K in keyof RecipientForms]?: string };

/** The form that is filled. */
export const recipientOf = (forms: RecipientForms): Recipient => {
  if (typeof forms.channel_id === 'string') return { channel_id: forms.channel_id };
  if (typeof forms.recipient_email === 'string') return { recipient_email: forms.recipient_email };
  return { recipient_chat_id: forms.recipient_chat_id ?? '' };
};

/** The filled forms of a stored message, as its caller gave them. */
export const namedDestinationOf = (forms: RecipientForms): RecipientNames => ({
  ...(typeof forms.channel_id === 'string' && { channel_id: forms.channel_id }),
  ...(typeof forms.recipient_email === 'string' && { recipient_email: forms.recipient_email }),
  ...(typeof forms.recipient_chat_id === 'string' && { recipient_chat_id: forms.recipient_chat_id }),
});
