import { Stanza } from '@stanza/sdk';

const sent: unknown[] = [];
const stanza = new Stanza({
  url: 'http://stanza.test',
  key: 'stz_test_1',
  fetch: async (_url, { body }) => {
    sent.push(JSON.parse(String(body)));
    return Response.json({ success: true, message_id: 'message-1' });
  },
});
await stanza.send('deploy-alert', { channel_id: 'C0DEPLOYS', data: { service: 'checkout' } });
console.log(JSON.stringify(sent));
