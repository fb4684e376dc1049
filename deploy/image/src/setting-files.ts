import { readFileSync } from 'node:fs';
import { StackFailure } from '@stanza/local/failure';

/** Settings that may name a file with the value, such as a mounted secret; those of one service begin with its name. */
const fileSetting = /^((?:[A-Z]+_){0,2}STANZA_[A-Z0-9_]+|DATABASE_URL|NATS_URL)_FILE$/;

/**
 * Replaces settings that name a file by its content: `STANZA_NATS_PASSWORD_FILE=/run/password` becomes
 * `STANZA_NATS_PASSWORD`. A line break at the end is not part of the value.
 */
export const readSettingFiles = (env: Record<string, string | undefined>): void => {
  for (const [name, file] of Object.entries(env)) {
    const setting = fileSetting.exec(name)?.[1];
    if (setting === undefined) continue;
    delete env[name];
    if (!file) continue;
    if (env[setting]) {
      throw new StackFailure(`${setting} and ${name} are both set.`, 'Unset one of them.');
    }
    env[setting] = contentOf(name, file);
  }
};

const contentOf = (name: string, file: string): string => {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new StackFailure(
      `${file}, which ${name} names, cannot be read.`,
      'Mount it, and make it readable for the user of this process.',
      { cause: error },
    );
  }
};
