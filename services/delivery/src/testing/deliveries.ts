import type {
  Destination,
  createDestination as declaration,
  InputOf,
  listDeliveries as listing,
  Principal,
  ReplyOf,
} from '@stanza/contracts';
import { Tenant } from '@stanza/runtime';
import { v7 as uuidv7 } from 'uuid';
import type { Dependencies } from '../dependencies.ts';
import { createDestinationDeliverer } from '../destinations/jobs/destination-deliveries.ts';
import { orderDelivery } from '../destinations/order-delivery.ts';
import { createDestination } from '../operations/create-destination.ts';
import { listDeliveries } from '../operations/list-deliveries.ts';
import { ask } from './world.ts';

/** The body that creates a destination. */
export type DestinationBody = InputOf<typeof declaration>['body'];

/** Says all that a body may say; a test changes what it is about. */
export const plainDestination = {
  name: 'Tickets',
  url: 'https://tickets.example.com/hooks',
  method: 'POST',
  headers: {},
  auth_type: 'none',
  is_active: true,
  retry_enabled: true,
  max_retries: 3,
  retry_strategy: 'exponential',
  retry_initial_delay_ms: 1_000,
  retry_max_delay_ms: 30_000,
  timeout_ms: 1_000,
} as const satisfies DestinationBody;

/** Creates a destination. */
export const newDestination = (
  dependencies: Dependencies,
  principal: Principal,
  body: Partial<DestinationBody>,
): Promise<Destination> =>
  ask(createDestination(dependencies), { body: { ...plainDestination, ...body } }, principal);

/** Orders a delivery for an interaction, as the service does. */
export const order = async (
  dependencies: Dependencies,
  principal: Principal,
  destinationId: string,
): Promise<void> => {
  const tenant = new Tenant(principal.organization_id, principal.environment);
  await dependencies.database.transaction((tx) =>
    orderDelivery(tenant, tx, {
      destinationId,
      operationId: uuidv7(),
      origin: 'interaction',
      originId: uuidv7(),
      payload: { clicked: 'approve' },
    }),
  );
};

/** Delivers what is due, as a replica does. */
export const deliverDueNow = async (dependencies: Dependencies): Promise<void> => {
  const deliverer = createDestinationDeliverer(dependencies);
  await deliverer.begin();
  await deliverer.settled();
};

/** A page of the deliveries of a destination. */
export const pageOfDeliveries = (
  dependencies: Dependencies,
  principal: Principal,
  id: string,
  query: object,
): Promise<ReplyOf<typeof listing>> =>
  ask(
    listDeliveries(dependencies),
    { params: { id }, query: { limit: 100, offset: 0, ...query } },
    principal,
  );

/** The deliveries of a destination, newest first. */
export const deliveriesOf = async (
  dependencies: Dependencies,
  principal: Principal,
  id: string,
): Promise<ReplyOf<typeof listing>['data']> => (await pageOfDeliveries(dependencies, principal, id, {})).data;
