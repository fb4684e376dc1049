/** What the audit log records, by the kind of its subject; an entry has `<kind>.<what>`. */
export const auditActions = {
  template: ['created', 'updated', 'version_added', 'activated', 'archived', 'unarchived', 'deleted'],
  template_draft: ['created', 'taken_over', 'deleted'],
  template_proposal: ['created', 'accepted', 'declined', 'withdrawn', 'superseded'],
  partial: ['created', 'updated', 'version_added', 'activated', 'archived', 'unarchived', 'deleted'],
  modal: ['created', 'updated', 'version_added', 'activated', 'deleted'],
  message: ['requested', 'deletion_requested', 'deleted'],
  queue: ['created', 'updated', 'flushed', 'deleted'],
  batch: ['retried', 'reposted'],
  destination: ['created', 'updated', 'disabled', 'deleted', 'signing_secret_read', 'signing_secret_rotated'],
  delivery: ['retried'],
  event_subscription: ['created', 'updated', 'deleted'],
  scheduled_message: ['created', 'updated', 'paused', 'resumed', 'run', 'cancelled'],
  chat_connection: ['put', 'deleted'],
  test_targets: ['changed'],
  api_key: ['created', 'revoked'],
  user: ['identity_bound', 'renamed'],
  member: ['added', 'removed', 'role_changed', 'deactivated', 'reactivated', 'external_id_changed'],
  invitation: ['created', 'accepted', 'revoked'],
  organization: ['created', 'updated', 'deleted', 'ownership_transferred', 'status_changed', 'tier_changed'],
  credits: ['granted'],
  entity: ['created', 'updated', 'deleted'],
  entity_field: ['created', 'updated', 'deleted'],
  sample_data: ['created', 'updated', 'deleted'],
  console_session: ['signed_in', 'signed_out', 'refused'],
  idempotent_request: ['released', 'settled'],
} as const satisfies Record<string, readonly string[]>;

type Actions = typeof auditActions;

type AuditKind = keyof Actions;

/** The kind of a subject that can be deleted. */
export type DeletedKind = {
  [Kind in AuditKind]: 'deleted' extends Actions[Kind][number] ? Kind : never;
}[AuditKind];

/** What an entry of the audit log says was done. Entries of other versions may have others. */
export type AuditAction = { [Kind in AuditKind]: `${Kind}.${Actions[Kind][number]}` }[AuditKind];
