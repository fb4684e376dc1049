import { renderModal } from '@stanza/contracts';
import type { CallContext, Tenant, Transaction } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { orderDelivery } from '../destinations/order-delivery.ts';

/** A modal to be shown. */
export interface ModalRequest {
  modalId: string;
  /** The version of the step before; the active one for the first step. */
  versionId: string | undefined;
  /** From 0. */
  step: number;
  /** What the modal reads: the action's data, the context of the message, and what is known of the use. */
  data: Record<string, unknown>;
}

/** A modal as the platform opens it, but for what this service adds. */
export interface RenderedModal {
  view: Record<string, unknown>;
  versionId: string;
  /** How many steps the modal has. */
  steps: number;
}

/** Something to be delivered to a destination. */
export interface DestinationCall {
  destinationId: string;
  payload: Record<string, unknown>;
  /** The interaction that it is for. */
  interactionId: string;
  /** Names the call: a repeat of it is the same delivery. */
  operationId: string;
}

/** What interactions need of other parts. */
export interface InteractivityDependencies extends Dependencies {
  /** @throws CodedError when there is no such modal, or none that can be shown */
  renderModal: (tenant: Tenant, modal: ModalRequest, context: CallContext) => Promise<RenderedModal>;
  /**
   * Commits to a delivery.
   * @returns its id
   * @throws CodedError `not_found` when there is no such destination
   */
  deliverTo: (tenant: Tenant, tx: Transaction, call: DestinationCall) => Promise<string>;
}

const modalsOf =
  ({ rpc }: Pick<Dependencies, 'rpc'>): InteractivityDependencies['renderModal'] =>
  async ({ organizationId: organization_id, environment }, { modalId, versionId, step, data }, context) => {
    const input = { organization_id, environment, modal_id: modalId, version_id: versionId, step, data };
    const { view, version_id, step_count } = await rpc.call(renderModal, input, context);
    return { view: { ...view }, versionId: version_id, steps: step_count };
  };

const deliveriesOf =
  ({ tracing }: Pick<Dependencies, 'tracing'>): InteractivityDependencies['deliverTo'] =>
  (tenant, tx, { interactionId: originId, ...call }) => {
    const facts = { origin: 'interaction' as const, traceparent: tracing.current() };
    return orderDelivery(tenant, tx, { ...call, ...facts, originId });
  };

/** Joins the parts that interactions need. */
export const interactivity = (dependencies: Dependencies): InteractivityDependencies => ({
  ...dependencies,
  renderModal: modalsOf(dependencies),
  deliverTo: deliveriesOf(dependencies),
});
