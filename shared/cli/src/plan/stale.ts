import type { Plan, PlannedTemplate } from './plan.ts';

/** Whether the API has what the plan had found, or what the plan makes of it: a push that was killed has got so far. */
const isExpected = (saved: PlannedTemplate, now: PlannedTemplate): boolean => {
  const [was, is, mine] = [saved.theirs, now.theirs, saved.mine];
  if (saved.actions.includes('archive'))
    return is === undefined || is.is_archived || is.version_id === was?.version_id;
  if (is === undefined) return was === undefined;
  const isWritten = is.content === mine?.content;
  if (was === undefined) return isWritten && is.about === mine?.about;
  const isSameVersion = is.version_id === was.version_id || isWritten;
  const isSameAbout = is.about === was.about || is.about === mine?.about;
  const isSameLive =
    is.live_version_id === was.live_version_id || (isWritten && is.live_version_id === is.version_id);
  return isSameVersion && isSameAbout && isSameLive && is.is_archived === was.is_archived;
};

const reasonOf = (saved: PlannedTemplate, now: PlannedTemplate | undefined): string | undefined => {
  const { key, mine } = saved;
  if (!now) return saved.actions.includes('archive') ? undefined : `${key} is no longer there`;
  if (now.mine?.about !== mine?.about || now.mine?.content !== mine?.content)
    return `the files of ${key} have changed`;
  return isExpected(saved, now) ? undefined : `${key} was changed there`;
};

/** Why a plan may not be carried out any more; empty where it may. */
export const staleReasons = (saved: Plan, now: Plan): string[] => {
  if (saved.environment !== now.environment)
    return [`the plan is for ${saved.environment_name} of ${saved.organization_name}`];
  const current = new Map(now.templates.map((it) => [it.key, it]));
  return saved.templates
    .filter(({ actions }) => actions.length > 0)
    .flatMap((it) => reasonOf(it, current.get(it.key)) ?? []);
};

/** The rest of a plan: what it said, without what is done already. */
export const restOf = (saved: Plan, now: Plan): Plan => {
  const planned = new Map(saved.templates.map(({ key, actions }) => [key, actions]));
  const templates = now.templates.map((it) => ({
    ...it,
    actions: it.actions.filter((action) => planned.get(it.key)?.includes(action)),
  }));
  return { ...now, templates };
};
