/** "helm test": makes a template, compiles it and, where the stand-in of the chat platform runs, sends it. */
const { API = 'http://gateway', KEY, CHANNEL } = process.env;

const call = async (path, body = {}) => {
  const response = await fetch(`${API}/v1/templates${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path || 'create'}: ${response.status} ${text}`);
  return JSON.parse(text);
};

const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'Hello {{name}}' } }];
const template = await call('', { name: `helm test ${Date.now()}`, blocks });
await call(`/${template.id}/versions/${template.version.id}/activate`);
const compiled = await call('/compile', { template_id: template.id, data: { name: 'Ada' } });
if (!JSON.stringify(compiled).includes('Hello Ada')) throw new Error(JSON.stringify(compiled));
console.log('compiled: Hello Ada');
if (CHANNEL) {
  const sent = await call('/send', { template_id: template.id, channel_id: CHANNEL, data: { name: 'Ada' } });
  console.log(`sent: message ${sent.message_id}`);
}
await call(`/${template.id}/archive`);
