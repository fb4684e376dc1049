import type { Stanza, Template, TemplateVersionSummary } from '@stanza/sdk';
import { differences } from '../plan/differences.ts';
import { breakText } from '../plan/plan.ts';
import { CommandProblem, exitCodes } from '../problem.ts';
import type { Setting } from '../setting.ts';
import { aboutOf } from '../templates/content.ts';
import { findTemplate, findVersion, versionNumber } from '../templates/find-template.ts';
import { readNames } from '../templates/names.ts';
import { readVersion } from '../templates/remote.ts';
import type { AddCommand } from './command.ts';
import { differenceText } from './diff.ts';

interface Options {
  note?: string;
  acceptBreaks: boolean;
}

/** The moment of a template that is compared with the live one; any will do that stays the same. */
const now = new Date('2026-11-21T08:30:00.000Z');

const contentOf = async (setting: Setting, stanza: Stanza, template: Template, versionId: string) => {
  const names = await readNames(stanza, setting.terminal.note);
  return { about: aboutOf(template), version: await readVersion(stanza, names, template.id, versionId) };
};

const checkImpact = async (
  { terminal }: Setting,
  stanza: Stanza,
  { id, key }: Template,
  version: TemplateVersionSummary,
  acceptsBreaks: boolean,
): Promise<void> => {
  const { data } = await stanza.templates.impact.get(id, { version_id: version.id });
  const breaks = data.filter(({ effect }) => effect === 'breaks').map((it) => breakText({ key, data: it }));
  if (breaks.length === 0) return;
  if (!acceptsBreaks)
    throw new CommandProblem(
      breaks.join('\n'),
      'Nothing was changed. Say --accept-breaks to make it live all the same.',
      exitCodes.conflict,
    );
  for (const line of breaks) terminal.note(line);
};

/** Shows what a version changes, asks, and makes it live. */
const makeLive = async (
  setting: Setting,
  template: Template,
  version: TemplateVersionSummary,
  { note, acceptBreaks }: Options,
): Promise<void> => {
  const stanza = await setting.stanza();
  const { id, key, current_version_id: live } = template;
  const { version_number } = version;
  if (version.id === live)
    return setting.show(
      { key, version_number, changed: false },
      () => `version ${version_number} is live already`,
    );
  if (live !== null) {
    const different = differences(
      await contentOf(setting, stanza, template, live),
      await contentOf(setting, stanza, template, version.id),
      now,
    );
    setting.terminal.note(differenceText(setting, different));
  }
  await checkImpact(setting, stanza, template, version, acceptBreaks);
  await setting.confirm(`Making version ${version_number} of ${key} live`);
  await stanza.templates.versions.activate(id, version.id, {
    expected_current_version_id: live,
    accept_breaks: acceptBreaks,
    ...(note !== undefined && { note }),
  });
  setting.show({ key, version_number, changed: true }, () => `version ${version_number} of ${key} is live`);
};

const activate = async (
  setting: Setting,
  key: string,
  number: string | undefined,
  options: Options,
): Promise<void> => {
  const stanza = await setting.stanza();
  const template = await findTemplate(stanza, key);
  const version = await findVersion(
    stanza,
    template,
    number === undefined ? undefined : versionNumber(number),
  );
  await makeLive(setting, template, version, options);
};

/** `stanza activate`. */
export const addActivate: AddCommand = (program, setting) =>
  program
    .command('activate')
    .description('make a version live, after showing what it changes and what would break')
    .argument('<key>', 'the template')
    .argument('[number]', 'the version; the newest without it')
    .option('--note <text>', 'for the log of activations')
    .option('--accept-breaks', 'also where stored data breaks', false)
    .action((key: string, number: string | undefined, options: Options) =>
      activate(setting(), key, number, options),
    );

const rollback = async (
  setting: Setting,
  key: string,
  to: string | undefined,
  options: Options,
): Promise<void> => {
  const stanza = await setting.stanza();
  const template = await findTemplate(stanza, key);
  if (to !== undefined)
    return makeLive(setting, template, await findVersion(stanza, template, versionNumber(to)), options);
  const { data } = await stanza.templates.activations.list(template.id, { limit: 1 }).page();
  const previous = data[0]?.previous_version_id;
  if (previous === undefined)
    throw new CommandProblem(`No other version of ${key} was live before.`, 'Name one: --to <number>.');
  await makeLive(setting, template, await stanza.templates.versions.get(template.id, previous), options);
};

/** `stanza rollback`. */
export const addRollback: AddCommand = (program, setting) =>
  program
    .command('rollback')
    .description('make the version live that was live before')
    .argument('<key>', 'the template')
    .option('--to <number>', 'this version')
    .option('--note <text>', 'for the log of activations')
    .option('--accept-breaks', 'also where stored data breaks', false)
    .action((key: string, { to, ...options }: Options & { to?: string }) =>
      rollback(setting(), key, to, options),
    );
