import type { Environment } from '@stanza/contracts';
import type { CallContext, Tenant } from '@stanza/runtime';
import { z } from 'zod';
import { Deadline } from '../deadline.ts';
import { withMentions } from '../messages/mentions.ts';
import { accessTo } from './access.ts';
import type { InteractivityDependencies } from './dependencies.ts';
import { factsOf } from './facts.ts';
import { fillObject } from './fill.ts';
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

/**
 * Makes the view of a modal for an interaction. It reads the action's data, and below that the stored values of the
 * message.
 * @param versionId the version of the previous step, if any
 * @throws CodedError when the modal does not exist or cannot be shown
 */
export const viewOf = async (
  dependencies: InteractivityDependencies,
  tenant: Tenant,
  row: InteractionRow,
  { opening, versionId }: { opening: OpenModal; versionId?: string | undefined },
  context: CallContext,
): Promise<Record<string, unknown>> => {
  const { modal_id: modalId, step } = opening;
  const given = await fillObject(dependencies, tenant, row, opening.data ?? {}, context);
  const data = { ...nestKept(row.kept), ...given, interaction: factsOf(row) };
  const asked = { modalId, versionId, step, data };
  const modal = await withMentions(await dependencies.renderModal(tenant, asked, context), {
    people: dependencies.people,
    access: () => accessTo(dependencies, tenant, row.workspace_id),
    deadline: Deadline.forCaller(dependencies.clock, context.deadline).within(mentionsMs),
    log: dependencies.log,
    again: (people) => dependencies.renderModal(tenant, { ...asked, people }, context),
  });
  const { organizationId, environment } = tenant;
  const shown = { versionId: modal.versionId, step, steps: modal.steps };
  const state = { organizationId, environment, interactionId: row.id, ...shown };
  return { ...modal.view, private_metadata: writeState(state) };
};
