import { Stanza, StanzaError } from '@stanza/sdk';

const stanza = new Stanza({ url: process.env.API, key: process.env.KEY });
const message = { channel_id: 'C0DEPLOYS', data: { order: 4711, carrier: 'Postbote' } };
try {
  const { message_id, $answer } = await stanza.send('order-shipped', message, {
    idempotencyKey: 'order-4711-shipped',
    signal: AbortSignal.timeout(30_000),
  });
  console.log(message_id, $answer.replayed ? 'was sent before' : 'is sent');
} catch (error) {
  if (!(error instanceof StanzaError && error.from('templates.send'))) throw error;
  switch (error.code) {
    case 'delivery_outcome_unknown':
      console.log('look for it in the log before you send it again', error.requestId);
      break;
    case 'chat_user_not_found':
    case 'invalid_destination':
      console.log('no such recipient', error.errorDetails);
      break;
    default:
      console.log(error.message);
  }
}
