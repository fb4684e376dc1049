import { diffBlocks } from '@stanza/engine/diff';
import { isSame } from '../files/canonical.ts';
import { compileTemplate } from '../templates/compile.ts';
import { type About, aboutTexts, type TemplateContent, type Version } from '../templates/content.ts';
import type { RemoteTemplate } from '../templates/remote.ts';
import type { LocalTemplate } from '../templates/template-files.ts';
import type { Status } from './compare.ts';
import { messageLines } from './message-lines.ts';
import type { AboutChange, PlannedTemplate } from './plan.ts';

/** How two versions of a template differ, for people. */
export type Differences = Pick<PlannedTemplate, 'about' | 'blocks' | 'data_changed' | 'text'>;

const aboutChanges = (before: About | undefined, after: About | undefined): AboutChange[] =>
  [...aboutTexts, 'strict' as const].flatMap((name): AboutChange[] => {
    const [from, to] = [before?.[name], after?.[name]];
    if (from === to) return [];
    return [{ name, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }];
  });

const linesOf = (content: TemplateContent | undefined, data: Version['data'], now: Date): string[] => {
  if (!content) return [];
  const compiled = compileTemplate(content, now, data);
  // Without a text of its own, a notification says what the message does.
  const notification = (text: string) => (content.about.fallback_text ? [...text.split('\n'), ''] : []);
  return compiled.ok
    ? [...notification(compiled.text), ...messageLines(compiled.blocks)]
    : compiled.problems.map((it) => `${it.pointer}: ${it.message}`);
};

/** How a template differs from another state of it: metadata, blocks, data, and what its message says with the same data. */
export const differences = (
  before: TemplateContent | undefined,
  after: TemplateContent | undefined,
  now: Date,
): Differences => {
  const data = after?.version.data ?? before?.version.data ?? {};
  const [was, is] = [before?.version, after?.version];
  return {
    about: aboutChanges(before?.about, after?.about),
    blocks: diffBlocks(was?.blocks ?? [], is?.blocks ?? []),
    data_changed: !isSame([was?.data ?? {}, was?.entity], [is?.data ?? {}, is?.entity]),
    text: { before: linesOf(before, data, now), after: linesOf(after, data, now) },
  };
};

/** What a plan shows of a template: what a push would change there or make live, or what a pull would change here. */
export const differencesOf = async (
  { local, remote }: { local: LocalTemplate | undefined; remote: RemoteTemplate | undefined },
  status: Status,
  now: Date,
): Promise<Differences> => {
  // Nothing is written, and what is there becomes live.
  if (status === 'unchanged' && remote) {
    const live = await remote.live();
    return { ...differences(live && { about: remote.about, version: live }, local, now), about: [] };
  }
  const theirs =
    remote && (!remote.isArchived || status === 'changed')
      ? { about: remote.about, version: await remote.version() }
      : undefined;
  return status === 'changed_there' ? differences(local, theirs, now) : differences(theirs, local, now);
};
