import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { testFolders } from '@stanza/test-kit/local/folder';
import { readSettingFiles } from './setting-files.ts';

const newFolder = testFolders();

const fileWith = async (text: string): Promise<string> => {
  const file = join(await newFolder(), 'value');
  await writeFile(file, text);
  return file;
};

describe('a setting in a file', () => {
  it('has the content of the file as its value, without the last line break', async () => {
    const env = { STANZA_NATS_PASSWORD_FILE: await fileWith('one\ntwo\n'), HOME: '/home' };
    readSettingFiles(env);
    expect(env).toEqual({ STANZA_NATS_PASSWORD: 'one\ntwo', HOME: '/home' });
  });

  it('may be the address of a database or a broker', async () => {
    const file = await fileWith('nats://admin:secret@nats:4222');
    const env = { NATS_URL_FILE: file, DATABASE_URL_FILE: '' };
    readSettingFiles(env);
    expect(env).toEqual({ NATS_URL: 'nats://admin:secret@nats:4222' });
  });

  it('may be that of one service of the process', async () => {
    const env = { QUEUE_INGEST_STANZA_DATABASE_URL_FILE: await fileWith('postgres://q') };
    readSettingFiles(env);
    expect(env).toEqual({ QUEUE_INGEST_STANZA_DATABASE_URL: 'postgres://q' });
  });

  it('leaves other variables alone', () => {
    const env = { SSL_CERT_FILE: '/etc/ssl/certs.pem' };
    readSettingFiles(env);
    expect(env).toEqual({ SSL_CERT_FILE: '/etc/ssl/certs.pem' });
  });

  it('stops the start when the value is given too, and when the file cannot be read, without showing a value', async () => {
    const both = { STANZA_NATS_PASSWORD: 'shown', STANZA_NATS_PASSWORD_FILE: await fileWith('hidden') };
    expect(() => readSettingFiles(both)).toThrow(
      'STANZA_NATS_PASSWORD and STANZA_NATS_PASSWORD_FILE are both set.',
    );
    expect(() => readSettingFiles({ STANZA_DATABASE_URL_FILE: '/nowhere/url' })).toThrow(
      '/nowhere/url, which STANZA_DATABASE_URL_FILE names, cannot be read.',
    );
  });
});
