import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { sendLines } from './send-lines.ts';

describe('the lines that send a template', () => {
  const data = { text: `it's "quoted" $HOME\n100 %s\\` };
  const lines = sendLines({ origin: 'https://api.example.com', key: 'deploy-alert', data, channel: 'C1' });

  it('are taken by a shell as they are meant', () => {
    const [, ...words] = execFileSync(
      'sh',
      ['-c', lines.curl.replace(/^curl /, String.raw`printf '%s\n' x `)],
      {
        encoding: 'utf8',
        env: { KEY: 'secret' },
      },
    ).split('\n');
    expect(words).toContain('https://api.example.com/v1/templates/send');
    expect(words).toContain('Authorization: Bearer secret');
    expect(JSON.parse(words[words.indexOf('-d') + 1] ?? '')).toEqual({
      template_key: 'deploy-alert',
      data,
      channel_id: 'C1',
    });
  });

  it('Lines for programs give the command the data, the server and the key', () => {
    const command = 'stanza() { printf "%s\\n" "$STANZA_URL" "$STANZA_KEY" "$*"; cat; }';
    const said = execFileSync('sh', ['-c', `${command}\n${lines.cli}`], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, KEY: 'secret' },
    });
    const [url, key, words, ...rest] = said.split('\n');
    expect([url, key]).toEqual(['https://api.example.com', 'secret']);
    expect(words).toBe('send deploy-alert --channel C1 --data -');
    expect(JSON.parse(rest.join('\n'))).toEqual(data);
  });

  it('Lines for programs name the server, the template and the channel for the SDK', () => {
    expect(lines.sdk).toContain('new Stanza({ url: "https://api.example.com", key: process.env.KEY })');
    expect(lines.sdk).toContain('stanza.send("deploy-alert", {"channel_id":"C1"');
  });
});
