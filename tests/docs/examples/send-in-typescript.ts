import { Stanza } from '@stanza/sdk';

const stanza = new Stanza({ url: process.env.API, key: process.env.KEY });
const changes = ['Faster totals', 'Refunds in every currency', 'A new receipt', 'Fewer retries'];
const data = { service: 'checkout', version: '1.4.2', author: 'Ada', changes };
const sent = await stanza.send('deploy-alert', { channel_id: 'C0DEPLOYS', data });
console.log(sent.message_id);
