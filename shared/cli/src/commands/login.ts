import { Stanza } from '@stanza/sdk';
import { removeProfile, saveProfile } from '../profiles.ts';
import type { Setting } from '../setting.ts';
import type { AddCommand } from './command.ts';

const nameIn = ({ options }: Setting): string => options.profile ?? 'default';

/** `stanza login`. */
export const addLogin: AddCommand = (program, setting) =>
  program
    .command('login')
    .description('keep an address and a key, which is read from the input, under the name of the profile')
    .requiredOption('--url <address>', 'where the gateway answers')
    .action(async ({ url }: { url: string }) => {
      const own = setting();
      const { env, input, note } = own.terminal;
      const found = { url, key: (await input()).trim() };
      // A key that is not valid is not kept.
      await new Stanza(found).auth.validate();
      await saveProfile(env, nameIn(own), found);
      note(`the profile ${nameIn(own)} is kept`);
      if (own.options.json) own.show({ profile: nameIn(own) }, () => '');
    });

/** `stanza logout`. */
export const addLogout: AddCommand = (program, setting) =>
  program
    .command('logout')
    .description('forget the profile')
    .action(async () => {
      const own = setting();
      const wasThere = await removeProfile(own.terminal.env, nameIn(own));
      own.terminal.note(wasThere ? 'the profile is forgotten' : 'there was no such profile');
      if (own.options.json) own.show({ profile: nameIn(own), forgotten: wasThere }, () => '');
    });
