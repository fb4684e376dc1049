import { allPlanned, type Plan, type Planned, removals } from './plan.ts';

const isRemoved = ({ actions }: Planned): boolean => removals.some((removal) => actions.includes(removal));

/** Whether the API has what the plan had found, or what the plan makes of it: a push that was killed has got so far. */
const isExpected = (saved: Planned, now: Planned): boolean => {
  const [was, is, mine] = [saved.theirs, now.theirs, saved.makes ?? saved.mine];
  if (isRemoved(saved)) return is === undefined || is.is_archived || is.version_id === was?.version_id;
  if (now.resumes) return true;
  if (is === undefined) return was === undefined;
  const isWritten = is.content === mine?.content;
  if (was === undefined) return isWritten && is.about === mine?.about;
  const isSameVersion = is.version_id === was.version_id || isWritten;
  const isSameAbout = is.about === was.about || is.about === mine?.about;
  const isSameLive =
    is.live_version_id === was.live_version_id || (isWritten && is.live_version_id === is.version_id);
  return (
    isSameVersion &&
    isSameAbout &&
    isSameLive &&
    (is.is_archived === was.is_archived || saved.actions.includes('unarchive'))
  );
};

const reasonOf = (saved: Planned, now: Planned | undefined): string | undefined => {
  const { key, mine } = saved;
  if (!now) return isRemoved(saved) ? undefined : `${key} is no longer there`;
  if (now.mine?.about !== mine?.about || now.mine?.content !== mine?.content)
    return `the files of ${key} have changed`;
  return isExpected(saved, now) ? undefined : `${key} was changed there`;
};

/** Why a plan may not be carried out any more; empty where it may. */
export const staleReasons = (saved: Plan, now: Plan): string[] => {
  if (saved.environment !== now.environment)
    return [`the plan is for ${saved.environment_name} of ${saved.organization_name}`];
  const current = new Map(allPlanned(now).map((it) => [it.key, it]));
  return allPlanned(saved)
    .filter(({ actions }) => actions.length > 0)
    .flatMap((it) => reasonOf(it, current.get(it.key)) ?? []);
};

/** The rest of a plan: what it said, without what is done already. */
export const restOf = (saved: Plan, now: Plan): Plan => {
  const planned = new Map(allPlanned(saved).map(({ key, actions }) => [key, actions]));
  const rest = <T extends Planned>(it: T): T => ({
    ...it,
    actions: it.actions.filter((action) => planned.get(it.key)?.includes(action)),
  });
  return { ...now, templates: now.templates.map(rest), resources: now.resources.map(rest) };
};
