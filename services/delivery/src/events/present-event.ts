import { anyPublicEvent, type EventSubscription, type PublicEvent } from '@stanza/contracts';
import type { EventRow, EventSubscriptionRow } from './event-tables.ts';

/** An event as the API shows it, and as it is delivered. */
export const presentEvent = (row: EventRow): PublicEvent =>
  anyPublicEvent.parse({
    id: row.id,
    type: row.type,
    created_at: row.created_at.toISOString(),
    organization_id: row.organization_id,
    environment: row.environment,
    data: row.data,
  });

/** A subscription as the API shows it. */
export const presentEventSubscription = (row: EventSubscriptionRow): EventSubscription => ({
  id: row.id,
  organization_id: row.organization_id,
  destination_id: row.destination_id,
  types: row.types,
  ...(row.description !== null && { description: row.description }),
  is_active: row.is_active,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
