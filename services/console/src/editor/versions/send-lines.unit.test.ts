import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { sendLines } from './send-lines.ts';

describe('the lines that send a template', () => {
  const data = { text: `it's "quoted" $HOME` };
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

  it('name the template and the channel for the SDK and the command', () => {
    expect(lines.sdk).toContain('stanza.send("deploy-alert", {"channel_id":"C1"');
    expect(lines.cli).toContain('stanza send deploy-alert --channel C1 --data data.json');
  });
});
