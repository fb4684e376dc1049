/** The recipient of a message, as given. */
export type Recipient = { channel_id: string } | { recipient_email: string } | { recipient_chat_id: string };

/** The three forms of a recipient, of which a request gives exactly one. */
export interface RecipientForms {
  channel_id?: string | null | undefined;
  recipient_email?: string | null | undefined;
  recipient_chat_id?: string | null | undefined;
}

/** The recipient with its given form only. */
export type RecipientNames = { [K in keyof RecipientForms]?: string };

/** The given form. */
export const recipientOf = (forms: RecipientForms): Recipient => {
  if (typeof forms.channel_id === 'string') return { channel_id: forms.channel_id };
  if (typeof forms.recipient_email === 'string') return { recipient_email: forms.recipient_email };
  return { recipient_chat_id: forms.recipient_chat_id ?? '' };
};

/** The given form of a stored message. */
export const namedDestinationOf = (forms: RecipientForms): RecipientNames => ({
  ...(typeof forms.channel_id === 'string' && { channel_id: forms.channel_id }),
  ...(typeof forms.recipient_email === 'string' && { recipient_email: forms.recipient_email }),
  ...(typeof forms.recipient_chat_id === 'string' && { recipient_chat_id: forms.recipient_chat_id }),
});
