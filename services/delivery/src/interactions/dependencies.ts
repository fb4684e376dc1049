import { type MentionedPeople, renderModal } from '@stanza/contracts';
import type { CallContext, Tenant, Transaction } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { orderDelivery } from '../destinations/order-delivery.ts';

/** A modal to be shown. */
export interface ModalRequest {
  modalId: string;
  /** The version of the previous step; the active one for the first step. */
  versionId: string | undefined;
  /** From 0. */
  step: number;
  /** The data of the modal: the action's data, the values of the message, and the facts of the interaction. */
  data: Record<string, unknown>;
  /** The locale and the time zone of the template of the message. */
  locale: string | undefined;
  timezone: string | undefined;
  /** The people whom it mentions by e-mail, once they are looked up. */
  people?: MentionedPeople | undefined;
}

/** A modal in the platform's form, without the additions of this service. */
export interface RenderedModal {
  view: Record<string, unknown>;
  versionId: string;
  /** The number of steps. */
  steps: number;
  /** E-mail addresses of people whom it mentions. */
  mentions?: string[] | undefined;
  warnings: string[];
}

/** Something to be delivered to a destination. */
export interface DestinationCall {
  destinationId: string;
  payload: Record<string, unknown>;
  /** The interaction that it belongs to. */
  interactionId: string;
  /** Identifies the call: a repeat is the same delivery. */
  operationId: string;
}

/** The dependencies of interactions on other parts. */
export interface InteractivityDependencies extends Dependencies {
  /** @throws CodedError when the modal does not exist or cannot be shown */
  renderModal: (tenant: Tenant, modal: ModalRequest, context: CallContext) => Promise<RenderedModal>;
  /**
   * Orders a delivery.
   * @returns its id
   * @throws CodedError `not_found` for an unknown destination
   */
  deliverTo: (tenant: Tenant, tx: Transaction, call: DestinationCall) => Promise<string>;
}

const modalsOf =
  ({ rpc }: Pick<Dependencies, 'rpc'>): InteractivityDependencies['renderModal'] =>
  async (
    { organizationId: organization_id, environment },
    { modalId, versionId, step, ...made },
    context,
  ) => {
    const input = { organization_id, environment, modal_id: modalId, version_id: versionId, step, ...made };
    const modal = await rpc.call(renderModal, input, context);
    const { view, version_id, step_count, mentions, warnings } = modal;
    return { view: { ...view }, versionId: version_id, steps: step_count, mentions, warnings };
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
