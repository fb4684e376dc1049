import { CodedError } from '@stanza/contracts';
import type { CallContext, Tenant, Transaction } from '@stanza/runtime';
import { orderDelivery } from '../destinations/order-delivery.ts';
import type { Parts } from '../parts.ts';

/** A modal to be shown. */
export interface ModalRequest {
  modalId: string;
  /** From 0. */
  step: number;
  /** What the action hands to the modal. */
  data: Record<string, unknown>;
  /** What is known of the use, and of what was entered in earlier steps. */
  facts: Record<string, unknown>;
}

/** A modal as the platform opens it, but for what this service adds. */
export interface RenderedModal {
  view: Record<string, unknown>;
  /** How many steps the modal has. */
  steps: number;
}

/** Something to be delivered to a destination. */
export interface DestinationCall {
  destinationId: string;
  payload: unknown;
  /** The interaction that it is for. */
  interactionId: string;
  /** Names the call: a repeat of it is the same delivery. */
  operationId: string;
}

/** What interactions need of other parts. */
export interface InteractivityParts extends Parts {
  /** @throws CodedError when there is no such modal, or none that can be shown */
  renderModal: (tenant: Tenant, modal: ModalRequest, context: CallContext) => Promise<RenderedModal>;
  /**
   * Commits to a delivery.
   * @returns its id
   * @throws CodedError when there is no such destination
   */
  deliverTo: (tenant: Tenant, tx: Transaction, call: DestinationCall) => Promise<string>;
}

/** Joins the parts that interactions need. */
export const interactivity = (parts: Parts): InteractivityParts => ({
  ...parts,
  renderModal: async (_tenant, { modalId }) => {
    throw new CodedError('not_found', { message: `There is no modal ${modalId}.` });
  },
  deliverTo: (tenant, tx, { interactionId, ...call }) =>
    orderDelivery(tenant, tx, {
      ...call,
      origin: 'interaction',
      originId: interactionId,
      at: parts.clock.now(),
    }),
});
