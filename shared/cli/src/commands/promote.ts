import type { Promotion } from '@stanza/sdk';
import { CommandProblem } from '../problem.ts';
import type { Profile } from '../profiles.ts';
import type { Setting } from '../setting.ts';
import { table } from '../show/table.ts';
import { freshProfile } from '../sign-in/fresh-profile.ts';
import type { AddCommand } from './command.ts';

interface Options {
  fromProfile?: string;
  activate: boolean;
  acceptBreaks: boolean;
  note?: string;
  dryRun: boolean;
}

/** The key of the environment that is copied from; undefined where one session reaches both. */
const sourceKey = async ({ terminal }: Setting, profile: string | undefined): Promise<string | undefined> =>
  profile === undefined ? terminal.env.STANZA_SOURCE_KEY : (await freshProfile(terminal.env, profile)).key;

/** Whether it is a key, which reaches one environment, and no token of a session. */
const isApiKey = ({ key }: Profile): boolean => key.startsWith('stz_');

const promotionText = (setting: Setting, { templates, entities, unmapped, from, to }: Promotion): string => {
  const { style, terminal } = setting;
  return [
    `${from} → ${to}`,
    ...table(
      ['template', 'what', 'version', 'live'],
      templates.map((it) => [it.key, it.action, String(it.version_number), it.is_activated ? 'yes' : 'no']),
      terminal.columns,
    ),
    ...entities.map(({ key, action }) => `entity ${key}: ${action}`),
    ...templates.flatMap(({ key, activation_left, version_number }) =>
      activation_left
        ? [
            style.changed(
              `${key} keeps its live version: version ${version_number} was live and was replaced`,
            ),
          ]
        : [],
    ),
    ...templates.flatMap(({ key, metadata_left: left }) =>
      left.length > 0
        ? [style.changed(`${key} keeps its ${left.join(', ')}: they would change the live version`)]
        : [],
    ),
    ...templates.flatMap(({ key, breaks }) => breaks.map((line) => style.bad(`${key}: ${line}`))),
    ...unmapped.map(({ template_key, message, is_blocking }) =>
      (is_blocking ? style.bad : style.changed)(`${template_key}: ${message}`),
    ),
  ].join('\n');
};

/** Whether there is more to say than that nothing is to be copied. */
const hasNews = ({ changed, templates }: Promotion): boolean =>
  changed || templates.some(({ activation_left }) => activation_left);

/** Shows what would be copied, asks, and copies it. Copying twice changes nothing the second time. */
const promote = async (setting: Setting, keys: string[], options: Options): Promise<void> => {
  const { activate, acceptBreaks: accept_breaks, note, dryRun } = options;
  const stanza = await setting.stanza();
  const key = await sourceKey(setting, options.fromProfile);
  if (key === undefined && isApiKey(await setting.profile()))
    throw new CommandProblem(
      'The key of the other environment is not known.',
      'Name its profile with --from-profile, or set STANZA_SOURCE_KEY. A session reaches both.',
    );
  const source = key === undefined ? {} : { sourceKey: key };
  const validated = await stanza.auth.validate();
  const from = validated.token.environment === 'production' ? ('preview' as const) : ('production' as const);
  const body = { from, keys, activate, accept_breaks, ...(note !== undefined && { note }) };
  const foreseen = await stanza.templates.promote({ ...body, dry_run: true }, source);
  if (dryRun) return setting.show(foreseen, () => promotionText(setting, foreseen));
  if (foreseen.unmapped.some(({ is_blocking }) => is_blocking))
    throw new CommandProblem(
      promotionText(setting, foreseen),
      'Nothing was copied. Create what is missing there under the same key.',
    );
  if (foreseen.changed) {
    setting.terminal.note(promotionText(setting, foreseen));
    await setting.confirm(`Copying ${keys.join(', ')} from ${from}`, validated);
  }
  const promoted = await stanza.templates.promote(body, source);
  setting.show(promoted, () => (hasNews(promoted) ? promotionText(setting, promoted) : 'nothing to copy'));
};

/** `stanza promote`. */
export const addPromote: AddCommand = (program, setting) =>
  program
    .command('promote')
    .description('copy templates, with their entities and samples, from the other environment')
    .argument('<keys...>', 'templates')
    .option(
      '--from-profile <name>',
      'the profile of the other environment; else STANZA_SOURCE_KEY has its key',
    )
    .option('--activate', 'also make the versions live', false)
    .option('--accept-breaks', 'also where stored data breaks', false)
    .option('--note <text>', 'for the versions and the log of activations')
    .option('--dry-run', 'show what would be copied, and copy nothing', false)
    .action((keys: string[], options: Options) => promote(setting(), keys, options));
