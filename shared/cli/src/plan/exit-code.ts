import { exitCodes } from '../problem.ts';
import { breaksOf, type Plan } from './plan.ts';

/** What `plan` ends with: a conflict needs a person, a change needs a push or a pull. */
export const planExitCode = (plan: Plan, acceptsBreaks: boolean): number => {
  const { templates } = plan;
  if (templates.some(({ problems }) => problems.length > 0)) return exitCodes.failure;
  if (templates.some(({ status }) => status === 'both')) return exitCodes.conflict;
  if (plan.activates && !acceptsBreaks && breaksOf(plan).length > 0) return exitCodes.conflict;
  return templates.some(({ status, actions }) => status !== 'unchanged' || actions.length > 0)
    ? exitCodes.changes
    : 0;
};
