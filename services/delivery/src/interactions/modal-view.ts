import { CodedError, type Environment, type ErrorCode, type MentionedPeople } from '@stanza/contracts';
import type { CallContext, Tenant } from '@stanza/runtime';
import { z } from 'zod';
import { checkActive } from '../active-organization.ts';
import { Deadline } from '../deadline.ts';
import { withMentions } from '../messages/mentions.ts';
import { accessTo } from './access.ts';
import type { InteractivityDependencies } from './dependencies.ts';
import { factsOf } from './facts.ts';
import { fillNamed } from './fill.ts';
import type { InteractionRow } from './interaction-tables.ts';
import { nestKept } from './kept-values.ts';
import type { OpenModal } from './plan.ts';

/** The state inside a modal, by which its submission is matched; the platform returns it to this app only. */
export interface ModalState {
  organizationId: string;
  environment: Environment;
  /** The interaction that opened it. */
  interactionId: string;
  versionId: string;
  step: number;
  steps: number;
}

const form = 1;

/** Milliseconds for which a modal waits for the people whom it mentions: its trigger is valid for three seconds. */
const mentionsMs = 800;

const stateSchema = z
  .tuple([
    z.literal(form),
    z.uuid(),
    z.enum(['production', 'preview']),
    z.uuid(),
    z.uuid(),
    z.int().min(0),
    z.int().min(1),
  ])
  .transform(([, organizationId, environment, interactionId, versionId, step, steps]) => ({
    organizationId,
    environment,
    interactionId,
    versionId,
    step,
    steps,
  }));

/** Serializes the state as a view's private metadata: far below the limit of 3,000 characters. */
const writeState = (state: ModalState): string =>
  JSON.stringify([
    form,
    state.organizationId,
    state.environment,
    state.interactionId,
    state.versionId,
    state.step,
    state.steps,
  ]);

/** Parses the state of a view; undefined for a foreign view. */
export const readState = (privateMetadata: string): ModalState | undefined => {
  try {
    return stateSchema.safeParse(JSON.parse(privateMetadata)).data;
  } catch {
    // Another view of the app: its private metadata has another form.
    return undefined;
  }
};

/** Logs why a modal was not shown; the interaction has the reason too. */
export const logUnopened = (
  { log }: Pick<InteractivityDependencies, 'log'>,
  { id }: Pick<InteractionRow, 'id'>,
  err: unknown,
  code: ErrorCode,
): void => {
  if (code === 'internal_error') log.error({ err, interaction_id: id }, 'a modal failed unexpectedly');
  else log.warn({ err, interaction_id: id }, 'a modal was not opened');
};

/** Never names the id, which may come from data. */
const noModal = ({ environment }: Tenant, why: string): CodedError =>
  new CodedError('modal_not_found', {
    message: `The ${environment} environment has no modal of this id: ${why}.`,
  });

/**
 * Makes the view of a modal for an interaction. It reads the action's data, and below that the stored values of the
 * message.
 * @param versionId the version of the previous step, if any
 * @throws CodedError `modal_not_found` when the modal does not exist, `access_denied` for a suspended organization; another
 * when it cannot be shown
 */
export const viewOf = async (
  dependencies: InteractivityDependencies,
  tenant: Tenant,
  row: InteractionRow,
  { opening, versionId }: { opening: OpenModal; versionId?: string | undefined },
  context: CallContext,
): Promise<Record<string, unknown>> => {
  const { modal_id, step } = opening;
  const action = { id: modal_id, data: opening.data ?? {} };
  const [given] = await Promise.all([
    fillNamed(dependencies, tenant, row, action, context),
    checkActive(dependencies, tenant, context),
  ]);
  if (given.id === undefined) throw noModal(tenant, 'what the action gives as `modal_id` is no id');
  const data = { ...nestKept(row.kept), ...given.data, interaction: factsOf(row) };
  const { locale, timezone } = given;
  const request = { modalId: given.id, versionId, step, data, locale, timezone };
  const render = (people?: MentionedPeople) =>
    dependencies.renderModal(tenant, { ...request, people }, context).catch((err: unknown) => {
      if (!(err instanceof CodedError) || err.code !== 'not_found') throw err;
      throw noModal(tenant, 'it was deleted, or the id is that of another environment');
    });
  const modal = await withMentions(await render(), {
    people: dependencies.people,
    access: () => accessTo(dependencies, tenant, row.workspace_id),
    deadline: Deadline.forCaller(dependencies.clock, context.deadline).within(mentionsMs),
    log: dependencies.log,
    again: render,
  });
  const { organizationId, environment } = tenant;
  const shown = { versionId: modal.versionId, step, steps: modal.steps };
  const state = { organizationId, environment, interactionId: row.id, ...shown };
  return { ...modal.view, private_metadata: writeState(state) };
};
