import type { Stanza } from '@stanza/sdk';
import { firstOf } from '../first-of.ts';
import type { Setting } from '../setting.ts';
import { table } from '../show/table.ts';
import { findTemplate } from '../templates/find-template.ts';
import type { AddCommand } from './command.ts';

/** Names of the members by their ids, where the key may read them; who has left has none. */
const namesOfMembers = async (stanza: Stanza): Promise<Map<string, string>> => {
  const { user, token } = await stanza.auth.validate();
  const names = new Map<string, string>();
  if (!token.scopes.includes('organizations:read')) return names;
  for await (const { id, first_name, last_name } of stanza.organizations.members.list(user.organization_id))
    names.set(id, `${first_name} ${last_name}`);
  return names;
};

const history = async (setting: Setting, key: string, { limit }: { limit: string }): Promise<void> => {
  const stanza = await setting.stanza();
  const { id } = await findTemplate(stanza, key);
  const [names, versions, activations] = await Promise.all([
    namesOfMembers(stanza),
    firstOf(limit, (query) => stanza.templates.versions.list(id, query)),
    firstOf(limit, (query) => stanza.templates.activations.list(id, query)),
  ]);
  const { columns } = setting.terminal;
  const nameOf = (id: string): string => names.get(id) ?? id;
  setting.show({ key, versions, activations }, () =>
    [
      ...table(
        ['version', 'status', 'made', 'by', 'note'],
        versions.map((it) => [
          `${it.version_number}${it.is_current ? ' (live)' : ''}`,
          it.status,
          it.created_at,
          nameOf(it.created_by),
          it.note ?? '',
        ]),
        columns,
      ),
      ...(activations.length > 0 ? [''] : []),
      ...table(
        ['live from', 'version', 'by', 'note'],
        activations.map((it) => [
          it.created_at,
          String(it.version_number),
          nameOf(it.activated_by),
          it.note ?? '',
        ]),
        columns,
      ),
    ].join('\n'),
  );
};

/** `stanza history`. */
export const addHistory: AddCommand = (program, setting) =>
  program
    .command('history')
    .description('list the versions of a template, and which of them was live when')
    .argument('<key>', 'the template')
    .option('--limit <count>', 'how many of both, newest first', '100')
    .action((key: string, options: { limit: string }) => history(setting(), key, options));
