// Made from the registry of operations by `npm run docs`; changes belong there.

/** A code of an error; a newer server may have more. */
export type ErrorCode =
  | 'invalid_request'
  | 'invalid_data'
  | 'compilation_failed'
  | 'no_blocks_to_send'
  | 'invalid_destination'
  | 'destination_address_refused'
  | 'invalid_search_query'
  | 'unauthenticated'
  | 'invalid_token'
  | 'invalid_signature'
  | 'insufficient_credits'
  | 'overage_limit_exceeded'
  | 'insufficient_scope'
  | 'access_denied'
  | 'activation_refused'
  | 'not_found'
  | 'template_not_found'
  | 'version_not_found'
  | 'modal_not_found'
  | 'organization_not_found'
  | 'entity_not_found'
  | 'field_not_found'
  | 'user_not_found'
  | 'profile_not_found'
  | 'credits_not_found'
  | 'chat_user_not_found'
  | 'method_not_allowed'
  | 'idempotency_conflict'
  | 'idempotency_in_progress'
  | 'already_exists'
  | 'invitation_pending'
  | 'invalid_state'
  | 'current_version_changed'
  | 'activation_breaks'
  | 'draft_changed'
  | 'promotion_unmapped'
  | 'chat_not_connected'
  | 'changed_meanwhile'
  | 'unsupported_media_type'
  | 'validation_failed'
  | 'rate_limited'
  | 'too_many_streams'
  | 'tier_limit'
  | 'internal_error'
  | 'chat_token_decrypt_failed'
  | 'credit_deduction_failed'
  | 'misconfigured'
  | 'chat_api_error'
  | 'chat_dm_failed'
  | 'delivery_outcome_unknown'
  | 'destination_failed'
  | 'maintenance'
  | 'service_unavailable'
  | 'destination_test_host_not_enabled';

/** What a key may do. */
export type Scope =
  | 'templates:read'
  | 'entities:read'
  | 'organizations:read'
  | 'usage:read'
  | 'sample-data:read'
  | 'modals:read'
  | 'destinations:read'
  | 'interactions:read'
  | 'queues:read'
  | 'scheduled:read'
  | 'scheduled:write'
  | 'templates:create'
  | 'templates:update'
  | 'templates:activate'
  | 'messages:create'
  | 'messages:preview'
  | 'entities:write'
  | 'modals:write'
  | 'sample-data:write'
  | 'templates:delete'
  | 'organizations:write'
  | 'users:read'
  | 'users:write'
  | 'users:provision'
  | 'queues:write'
  | 'destinations:write'
  | 'connections:write'
  | 'api-keys:read'
  | 'api-keys:write'
  | 'audit:read'
  | 'organizations:delete'
  | 'organizations:transfer';

export interface ApiKey {
  id: string;
  name: string;
  description: string | null;
  environment: 'production' | 'preview';
  /** the beginning of the key, to tell it from others */
  key_prefix: string;
  /** what it may do now: cut to what the role of the user behind it allows */
  scopes: Scope[];
  /** CIDRs from where the key may be used; none: from anywhere */
  allowed_addresses: string[];
  /** the user who created the key */
  user_id: string;
  /** the key that made it; null where a session or an operator did */
  parent_key_id: string | null;
  status: 'active' | 'expired' | 'revoked';
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
}

export interface Pagination {
  offset: number;
  limit: number;
  total: number;
}

export interface Deleted {
  success: true;
  id: string;
}

export interface AuditRecord {
  id: string;
  /** null for a change of both environments */
  environment: 'production' | 'preview' | null;
  actor: {
    type: 'api_key' | 'session' | 'system';
    /** the key id, the session subject, or the name of the system part */
    id: string;
    /** the user on whose behalf the call is made */
    user_id?: string;
  };
  /** `<kind of subject>.<what was done to it>` */
  action: string;
  /** what was changed */
  subject: {
    kind: string;
    id: string;
  };
  /** facts of the change, without secrets */
  changes: Record<string, unknown>;
  /** the `X-Request-Id` of the request that made the change */
  request_id: string;
  /** the origin of that request; null for a change by an operator or the system */
  client: {
    /** IP address: of the connection, or as reported by a trusted proxy */
    address: string | null;
    /** header `User-Agent` as sent by the client, truncated and without secrets */
    user_agent: string | null;
  } | null;
  created_at: string;
}

export interface AuditExport {
  data: AuditRecord[];
  /** identifies the last entry of the answer; continues with the entries after it, now or later */
  next_cursor: string | null;
  /** whether more entries exist already */
  has_more: boolean;
}

export interface ValidatedToken {
  valid: boolean;
  user: {
    id: string;
    first_name: string;
    last_name: string;
    email: string;
    organization_id: string;
    organization_name: string;
    role: 'viewer' | 'member' | 'admin' | 'owner';
    scopes: string[];
    created_at: string;
    last_active: string | null;
  };
  token: {
    type: 'api_key' | 'session';
    /** what the token acts in */
    environment: 'production' | 'preview';
    key_prefix: string | null;
    name: string | null;
    description: string | null;
    scopes: string[];
    created_at: string | null;
    last_used_at: string | null;
    expires_at: string | null;
    status: 'active';
    client_id: string | null;
  };
  organization: {
    id: string;
    name: string;
    status: 'active' | 'suspended' | 'deleted';
    member_count: number;
    credit_balance: number;
  };
}

export interface ChatConnection {
  id: string;
  /** active: it works; revoked: the platform refused its token, connect again; unreadable: its token cannot be decrypted, connect again */
  state: 'active' | 'revoked' | 'unreadable';
  source: 'token' | 'install';
  workspace_id: string;
  workspace_name: string;
  /** the user that messages come from */
  bot_user_id: string;
  /** what the token allows; null when the platform did not say */
  scopes: string[] | null;
  /** the platform's error by which a revoked token was noticed */
  refusal: string | null;
  /** when the platform last said how the token stands */
  last_checked_at: string;
  /** calls that are refused for a moment, since the platform failed at too many of them of late; half_open: one is let through to see. Empty when all is well. As seen by the process that answers */
  breakers: {
    calls: 'account' | 'post' | 'lookup' | 'history' | 'update' | 'view';
    state: 'open' | 'half_open';
  }[];
  created_at: string;
  updated_at: string;
}

export interface TestTargetList {
  targets: TestTarget[];
  /** the user or key that changed it last; null while it is empty */
  updated_by: string | null;
  updated_at: string | null;
}

export type TestTarget = {
  /** for those who choose among the targets */
  description?: string;
} & (
  | { channel_id: string; recipient_email?: null; recipient_chat_id?: null }
  | { channel_id?: null; recipient_email: string; recipient_chat_id?: null }
  | { channel_id?: null; recipient_email?: null; recipient_chat_id: string }
);

export interface CreditBalance {
  organization_id: string;
  tier: 'free' | 'pro' | 'enterprise';
  /** grants minus charges; negative while overage is used */
  balance: number;
  /** held for messages that are being sent */
  reserved: number;
  /** what can be spent now, overage included */
  available: number;
  overage_limit: number;
  updated_at: string;
}

export interface CreditLogEntry {
  /** the `credit_log_id` of the compile or the message */
  id: string;
  kind: 'grant' | 'charge' | 'reversal' | 'adjustment';
  /** negative for what was spent or taken away */
  amount: number;
  /** null for grants and adjustments */
  operation: 'compile' | 'send' | 'send-bulk' | 'batch' | 'schedule' | null;
  /** null for grants: both draw on one account */
  environment: 'production' | 'preview' | null;
  template_id: string | null;
  /** the key or session that paid */
  key_id: string | null;
  message_id: string | null;
  reason: string | null;
  created_at: string;
}

export interface Destination {
  id: string;
  organization_id: string;
  /** names it for programs */
  key: string;
  name: string;
  description?: string;
  url: string;
  method: 'POST' | 'PUT' | 'PATCH';
  /** the names of the headers; values never leave */
  headers: Record<string, '********'>;
  auth_type: 'none' | 'bearer' | 'basic' | 'custom';
  is_active: boolean;
  retry_enabled: boolean;
  max_retries: number;
  retry_strategy: 'fixed' | 'linear' | 'exponential';
  retry_initial_delay_ms: number;
  retry_max_delay_ms: number;
  timeout_ms: number;
  created_by: string;
  created_at: string;
  updated_at: string;
  /** attempts that failed since the last one that did not */
  consecutive_failures: number;
  /** when a long row of failures made it inactive */
  disabled_at?: string;
  /** open while its host is left alone because it failed too often */
  breaker: 'closed' | 'open' | 'half_open';
}

export interface Delivery {
  /** also the `webhook-id` of every attempt */
  id: string;
  destination_id: string;
  origin: 'batch' | 'interaction' | 'schedule' | 'event' | 'test';
  /** the batch, the interaction, the schedule or the event; for a test the delivery itself */
  origin_id: string;
  status: 'waiting' | 'delivered' | 'failed' | 'unknown';
  error?: ErrorCode;
  next_attempt_at?: string;
  /** oldest first */
  attempts: DeliveryAttempt[];
  created_at: string;
  updated_at: string;
}

export interface DeliveryAttempt {
  number: number;
  started_at: string;
  latency_ms?: number;
  /** refused: answered, not with 2xx; not_sent: nothing left; lost: sent, and no answer came; begun: under way */
  outcome: 'delivered' | 'refused' | 'not_sent' | 'lost' | 'begun';
  http_status?: number;
  /** how it broke, in a word */
  error?: string;
  /** the beginning of the answer, without what was sent in headers */
  response?: string;
}

export interface SigningSecret {
  /** `whsec_` and base64, as Standard Webhooks libraries take it */
  secret: string;
  /** signs as well, so that receivers can change over */
  previous_secret?: string;
  previous_valid_until?: string;
}

export interface Entity {
  id: string;
  organization_id: string;
  /** names it for programs */
  key: string;
  name: string;
  description: string | null;
  created_by: string;
  created_at: string;
  updated_at: string;
}

export interface EntityWithFields {
  id: string;
  organization_id: string;
  /** names it for programs */
  key: string;
  name: string;
  description: string | null;
  created_by: string;
  created_at: string;
  updated_at: string;
  fields: EntityField[];
}

export interface EntityField {
  id: string;
  entity_id: string;
  /** the object that it is a part of, or the list of objects; null at the top */
  parent_field_id: string | null;
  /** the key in the data */
  name: string;
  /** the names from the top, as a placeholder reads them */
  path: string;
  label: string | null;
  type: 'string' | 'number' | 'boolean' | 'date' | 'array' | 'object';
  description: string | null;
  /** data without it does not fit the entity */
  required: boolean;
  created_at: string;
  updated_at: string;
}

export interface EventSubscription {
  id: string;
  organization_id: string;
  /** where its events are delivered to */
  destination_id: string;
  types: ('message.sent' | 'message.failed' | 'message.unknown' | 'batch.failed' | 'template.activated' | 'credits.low' | 'connection.revoked')[];
  description?: string;
  is_active: boolean;
  created_by: string;
  created_at: string;
  updated_at: string;
}

export interface EventPage {
  data: PublicEvent[];
  /** continues with older events; null at the end */
  next_cursor: string | null;
}

export type PublicEvent = MessageSentEvent | MessageFailedEvent | MessageUnknownEvent | BatchFailedEvent | TemplateActivatedEvent | CreditsLowEvent | ConnectionRevokedEvent;

/** The chat platform has accepted a message, or a lookup has found one whose outcome was unknown. */
export interface MessageSentEvent {
  /** names the event: the same in each delivery of it */
  id: string;
  type: 'message.sent';
  /** when it happened */
  created_at: string;
  organization_id: string;
  environment: 'production' | 'preview';
  data: {
    message_id: string;
    /** always, but for a test of blocks without a template */
    template_id?: string;
    /** always, but for a test of blocks */
    version_id?: string;
    /** always, but for a test of blocks */
    version_number?: number;
    /** true for a test send; absent otherwise */
    test?: boolean;
    /** what it was sent by */
    origin: 'send' | 'bulk' | 'batch' | 'schedule';
    /** the batch or the scheduled message */
    origin_id?: string;
    /** where it was to go, as its sender named it */
    destination: {
      channel_id?: string;
      recipient_email?: string;
      recipient_chat_id?: string;
    };
    /** the conversation posted to */
    channel: string;
    thread_ts?: string;
    request_id: string;
    message_ts: string;
    /** its outcome was unknown before, and a lookup has found it */
    was_unknown: boolean;
    /** the charge; a message that was found later is not charged */
    credit_log_id?: string;
  };
}

/** A message that was accepted has failed: nothing was posted, and nothing is charged. */
export interface MessageFailedEvent {
  /** names the event: the same in each delivery of it */
  id: string;
  type: 'message.failed';
  /** when it happened */
  created_at: string;
  organization_id: string;
  environment: 'production' | 'preview';
  data: {
    message_id: string;
    /** always, but for a test of blocks without a template */
    template_id?: string;
    /** always, but for a test of blocks */
    version_id?: string;
    /** always, but for a test of blocks */
    version_number?: number;
    /** true for a test send; absent otherwise */
    test?: boolean;
    /** what it was sent by */
    origin: 'send' | 'bulk' | 'batch' | 'schedule';
    /** the batch or the scheduled message */
    origin_id?: string;
    /** where it was to go, as its sender named it */
    destination: {
      channel_id?: string;
      recipient_email?: string;
      recipient_chat_id?: string;
    };
    /** the conversation posted to */
    channel?: string;
    thread_ts?: string;
    request_id: string;
    error: ErrorCode;
    error_message?: string;
    error_details?: string;
  };
}

/** The answer to a post was lost: the message may have been posted, and is looked up. `message.sent` follows when it is found. */
export interface MessageUnknownEvent {
  /** names the event: the same in each delivery of it */
  id: string;
  type: 'message.unknown';
  /** when it happened */
  created_at: string;
  organization_id: string;
  environment: 'production' | 'preview';
  data: {
    message_id: string;
    /** always, but for a test of blocks without a template */
    template_id?: string;
    /** always, but for a test of blocks */
    version_id?: string;
    /** always, but for a test of blocks */
    version_number?: number;
    /** true for a test send; absent otherwise */
    test?: boolean;
    /** what it was sent by */
    origin: 'send' | 'bulk' | 'batch' | 'schedule';
    /** the batch or the scheduled message */
    origin_id?: string;
    /** where it was to go, as its sender named it */
    destination: {
      channel_id?: string;
      recipient_email?: string;
      recipient_chat_id?: string;
    };
    /** the conversation posted to */
    channel?: string;
    thread_ts?: string;
    request_id: string;
    error: ErrorCode;
    error_message?: string;
    error_details?: string;
  };
}

/** The delivery of a batch has failed; it stays failed until it is retried. Each retry that fails is an event of its own. */
export interface BatchFailedEvent {
  /** names the event: the same in each delivery of it */
  id: string;
  type: 'batch.failed';
  /** when it happened */
  created_at: string;
  organization_id: string;
  environment: 'production' | 'preview';
  data: {
    batch_id: string;
    queue_id: string;
    event_count: number;
    close_reason?: 'window_elapsed' | 'max_window' | 'threshold' | 'size' | 'max_wait' | 'flushed';
    opened_at: string;
    closed_at?: string;
    /** 1 for the first delivery; each retry is one more */
    attempt: number;
    error: ErrorCode;
    error_details?: string;
    message_id?: string;
    delivery_id?: string;
  };
}

/** A version of a template has become the live one, by an activation or a rollback. */
export interface TemplateActivatedEvent {
  /** names the event: the same in each delivery of it */
  id: string;
  type: 'template.activated';
  /** when it happened */
  created_at: string;
  organization_id: string;
  environment: 'production' | 'preview';
  data: {
    template_id: string;
    name: string;
    version_id: string;
    version_number: number;
    /** the version that was live before */
    previous_version_id?: string;
    activation_id: string;
    /** counts the activations of the template */
    activation_number: number;
    activated_by: string;
    note?: string;
  };
}

/** The credits left have fallen below a tenth of what the tier grants in a month. Once, until twice as many are there again. Both environments draw on one account, and each is told. */
export interface CreditsLowEvent {
  /** names the event: the same in each delivery of it */
  id: string;
  type: 'credits.low';
  /** when it happened */
  created_at: string;
  organization_id: string;
  environment: 'production' | 'preview';
  data: {
    /** the balance without what is reserved; negative while overage is used */
    remaining_credits: number;
    threshold: number;
    /** credits that may be spent beyond the balance */
    overage: number;
    tier: 'free' | 'pro' | 'enterprise';
    monthly_credits: number;
  };
}

/** The chat platform permanently refuses the token of a connection. Messages fail until it is connected again. */
export interface ConnectionRevokedEvent {
  /** names the event: the same in each delivery of it */
  id: string;
  type: 'connection.revoked';
  /** when it happened */
  created_at: string;
  organization_id: string;
  environment: 'production' | 'preview';
  data: {
    connection_id: string;
    workspace_id: string;
    workspace_name: string;
    /** the platform's name of the refusal */
    refusal: string;
  };
}

export interface Interaction {
  id: string;
  kind: 'block_actions' | 'view_submission';
  status: 'open' | 'done' | 'failed';
  /** chat id of the person */
  user_id: string;
  user_name?: string;
  /** the message that it began with */
  message_id: string;
  template_id: string;
  channel: string;
  message_ts: string;
  /** the element that was used, as it stood in the message */
  action_id?: string;
  action_type?: string;
  /** what was chosen or entered in the element */
  value?: unknown;
  /** the interaction that opened the modal which was submitted */
  opened_by?: string;
  /** what was entered so far, by action_id */
  form: Record<string, unknown>;
  /** in the order in which they are run */
  actions: InteractionAction[];
  request_id: string;
  created_at: string;
}

export interface InteractionAction {
  type: 'open_modal' | 'call_destination' | 'update_message';
  status: 'waiting' | 'done' | 'failed' | 'unknown';
  modal_id?: string;
  /** step of a modal that has several, from 0 */
  step?: number;
  destination_id?: string;
  /** see the deliveries of the destination for its outcome */
  delivery_id?: string;
  strategy?: string;
  error?: ErrorCode;
  error_details?: string;
  ended_at?: string;
}

export interface Message {
  id: string;
  /** null for a test of blocks that belong to no template */
  template_id: string | null;
  /** null for a test of blocks, and so is the number */
  version_id: string | null;
  version_number: number | null;
  status: 'accepted' | 'posting' | 'sent' | 'failed' | 'unknown';
  /** what asked for it */
  origin: 'send' | 'bulk' | 'batch' | 'schedule';
  /** it was sent to try a version or blocks */
  test: boolean;
  destination: {
    channel_id?: string;
    recipient_email?: string;
    recipient_chat_id?: string;
  };
  /** the conversation posted to */
  channel?: string;
  message_ts?: string;
  thread_ts?: string;
  error?: ErrorCode;
  error_details?: string;
  /** the charge; only of sent messages */
  credit_log_id?: string;
  request_id: string;
  created_at: string;
  updated_at: string;
  attempts: MessageAttempt[];
}

export interface MessageAttempt {
  method: string;
  /** `ok`, an error name of the platform, or how the call broke */
  outcome: string;
  http_status?: number;
  latency_ms: number;
  started_at: string;
}

export interface ModalDefinitionSummary {
  id: string;
  organization_id: string;
  /** names it for programs */
  key: string;
  name: string;
  description: string | null;
  title: string;
  submit_label: string | null;
  close_label: string | null;
  /** the active version */
  current_version_id: string | null;
  is_multi_step: boolean;
  steps: {
    title: string;
    submit_label: string | null;
  }[] | null;
  created_by: string;
  created_at: string;
  updated_at: string;
}

export interface Block {
  type: string;
  id?: string;
  [key: string]: unknown;
}

export interface CreatedModalDefinition {
  id: string;
  organization_id: string;
  /** names it for programs */
  key: string;
  name: string;
  description: string | null;
  title: string;
  submit_label: string | null;
  close_label: string | null;
  /** the active version */
  current_version_id: string | null;
  is_multi_step: boolean;
  /** null: one view, made of the blocks of the active version */
  steps: {
    title: string;
    submit_label: string | null;
    blocks: Block[];
  }[] | null;
  created_by: string;
  created_at: string;
  updated_at: string;
  current_version: ModalVersion | null;
  version: ModalVersion;
}

export interface ModalVersion {
  id: string;
  modal_definition_id: string;
  /** 1, 2, 3 … within the modal */
  version_number: number;
  blocks: Block[];
  /** name of a placeholder -> path in the data that it reads */
  placeholder_mapping: Record<string, string> | null;
  /** left out of lists */
  sample_data?: Record<string, unknown> | null;
  /** never active, active, active before */
  status: 'draft' | 'active' | 'inactive';
  is_current: boolean;
  created_by: string;
  created_at: string;
  updated_at: string;
}

export interface ModalDefinition {
  id: string;
  organization_id: string;
  /** names it for programs */
  key: string;
  name: string;
  description: string | null;
  title: string;
  submit_label: string | null;
  close_label: string | null;
  /** the active version */
  current_version_id: string | null;
  is_multi_step: boolean;
  /** null: one view, made of the blocks of the active version */
  steps: {
    title: string;
    submit_label: string | null;
    blocks: Block[];
  }[] | null;
  created_by: string;
  created_at: string;
  updated_at: string;
  current_version: ModalVersion | null;
}

export interface ModalView {
  type: 'modal';
  title: {
    type: 'plain_text';
    text: string;
  };
  submit?: {
    type: 'plain_text';
    text: string;
  };
  close?: {
    type: 'plain_text';
    text: string;
  };
  blocks: Block[];
}

export interface ChatTruncation {
  fields_truncated: number;
}

export interface Organization {
  id: string;
  name: string;
  tier: 'free' | 'pro' | 'enterprise';
  status: 'active' | 'suspended' | 'deleted';
  member_count: number;
  /** whether an activation with which stored data breaks must say `accept_breaks: true` */
  guard_activation: boolean;
  /** who may make a version live, beside the scope: `anyone`; a `person`, and no key; `another_person` than the author of the version and the one who proposed it */
  activation: 'anyone' | 'person' | 'another_person';
  created_at: string;
  updated_at: string;
}

export interface Invitation {
  id: string;
  organization_id: string;
  email: string;
  role: 'viewer' | 'member' | 'admin';
  status: 'pending' | 'accepted' | 'revoked' | 'expired';
  message: string | null;
  /** the user who invited */
  invited_by: string | null;
  created_at: string;
  expires_at: string;
  accepted_at: string | null;
  revoked_at: string | null;
}

export interface OrganizationUser {
  id: string;
  organization_id: string;
  email: string;
  first_name: string;
  last_name: string;
  role: 'viewer' | 'member' | 'admin' | 'owner';
  /** when the service first knew the person */
  created_at: string;
  joined_at: string;
  last_active: string | null;
}

export interface TemplateProposal {
  id: string;
  template_id: string;
  template_key: string;
  template_name: string;
  /** the version that is proposed */
  version_id: string;
  version_number: number;
  /** the version that was live when it was proposed */
  live_version_id: string | null;
  live_version_number: number | null;
  status: 'open' | 'accepted' | 'declined' | 'withdrawn' | 'superseded';
  note: string | null;
  /** the person behind the session or key, else the key */
  proposed_by: string;
  /** the key that proposed; null where a person did */
  key_id: string | null;
  source: 'web' | 'api' | 'mcp';
  /** what the agent calls itself; a claim, as every user agent is */
  agent: string | null;
  created_at: string;
  /** who accepted, declined, withdrew or superseded it */
  decided_by: string | null;
  decided_at: string | null;
  /** why it was declined */
  reason: string | null;
}

export interface Queue {
  id: string;
  organization_id: string;
  key: string;
  name: string;
  description: string | null;
  mode: 'rolling_window' | 'fixed_volume';
  window_seconds: number | null;
  max_window_seconds: number | null;
  threshold: number | null;
  max_wait_seconds: number | null;
  template_id: string | null;
  channel_id: string | null;
  recipient_email: string | null;
  recipient_chat_id: string | null;
  destination_id: string | null;
  /** what is done with a message whose outcome is unknown. `hold`: it is never posted again by itself. `repost`: it is posted again where a lookup ten minutes after its post does not find it in the channel, three times at most; the channel may then show it up to four times */
  on_unknown: 'hold' | 'repost';
  is_active: boolean;
  created_by: string;
  created_at: string;
  updated_at: string;
}

export interface Batch {
  id: string;
  queue_id: string;
  status: 'collecting' | 'ready' | 'delivering' | 'delivered' | 'failed' | 'unknown';
  close_reason: 'window_elapsed' | 'max_window' | 'threshold' | 'size' | 'max_wait' | 'flushed' | null;
  event_count: number;
  opened_at: string;
  /** when it is closed at the latest, if no more events arrive */
  window_end: string;
  closed_at: string | null;
  /** when its outcome became known */
  ended_at: string | null;
  /** 1 for the first delivery; each retry is one more */
  attempt: number;
  /** why it failed */
  error: ErrorCode | null;
  error_details: string | null;
  /** entries of the digest that its events did not fit; null where none was left out */
  left_out: LeftOut | null;
  message_id: string | null;
  delivery_id: string | null;
  credit_log_id: string | null;
}

export interface LeftOut {
  /** how many entries were left out */
  count: number;
  /** the first 50 of them; those that a list had no room for stand in one entry */
  entries: {
    /** the place in the template; empty for the whole */
    pointer: string;
    /** the value or the item in the data, such as events[2].user */
    path: string | null;
    /** the same for people, with the reason */
    message: string;
  }[];
}

export interface QueuedEvent {
  id: string;
  received_at: string;
  /** null for a caller without the scope `queues:write` */
  event: Record<string, unknown> | null;
}

export interface SampleDataSummary {
  id: string;
  organization_id: string;
  name: string;
  description: string | null;
  /** the template that it is for */
  template_id: string | null;
  /** the entity that it fitted when it was saved */
  entity_id: string | null;
  created_by: string;
  created_at: string;
  updated_at: string;
}

export interface SampleData {
  id: string;
  organization_id: string;
  name: string;
  description: string | null;
  data: Record<string, unknown>;
  /** the template that it is for */
  template_id: string | null;
  /** the entity that it fitted when it was saved */
  entity_id: string | null;
  created_by: string;
  created_at: string;
  updated_at: string;
}

export interface ScheduledMessage {
  id: string;
  status: 'active' | 'completed' | 'cancelled';
  template_id: string;
  channel_id: string | null;
  recipient_email: string | null;
  recipient_chat_id: string | null;
  thread_ts: string | null;
  /** of one that is sent once */
  send_at: string | null;
  /** of one that is sent again and again */
  cron: string | null;
  timezone: string | null;
  catch_up: boolean;
  /** what is done with a message whose outcome is unknown. `hold`: it is never posted again by itself. `repost`: it is posted again where a lookup ten minutes after its post does not find it in the channel, three times at most; the channel may then show it up to four times */
  on_unknown: 'hold' | 'repost';
  /** null when no run is to come */
  next_run_at: string | null;
  /** the latest one, also while it is on its way */
  last_run: ScheduledRun | null;
  created_by: string;
  created_at: string;
  updated_at: string;
  /** when its last run began, or when it was cancelled */
  ended_at: string | null;
}

export interface ScheduledRun {
  due_at: string;
  /** a `skipped` run stands for every one that was missed from its time to that of the next run */
  status: 'pending' | 'sent' | 'failed' | 'unknown' | 'skipped';
  /** of the message log; null while pending and where none was accepted */
  message_id: string | null;
  /** why it failed */
  error: ErrorCode | null;
  error_details: string | null;
  /** times that it was posted again because its outcome was unknown */
  reposts: number;
  started_at: string;
  /** when its outcome became known */
  ended_at: string | null;
}

export interface ScheduledMessageDetails {
  id: string;
  status: 'active' | 'completed' | 'cancelled';
  template_id: string;
  channel_id: string | null;
  recipient_email: string | null;
  recipient_chat_id: string | null;
  thread_ts: string | null;
  /** of one that is sent once */
  send_at: string | null;
  /** of one that is sent again and again */
  cron: string | null;
  timezone: string | null;
  catch_up: boolean;
  /** what is done with a message whose outcome is unknown. `hold`: it is never posted again by itself. `repost`: it is posted again where a lookup ten minutes after its post does not find it in the channel, three times at most; the channel may then show it up to four times */
  on_unknown: 'hold' | 'repost';
  /** null when no run is to come */
  next_run_at: string | null;
  /** the latest one, also while it is on its way */
  last_run: ScheduledRun | null;
  created_by: string;
  created_at: string;
  updated_at: string;
  /** when its last run began, or when it was cancelled */
  ended_at: string | null;
  data: Record<string, unknown>;
  strict: boolean | null;
  locale: string | null;
  /** the next five at most */
  next_runs: string[];
  /** the latest twenty at most, newest first */
  runs: ScheduledRun[];
}

export interface ScimServiceProviderConfig {
  schemas: 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'[];
  patch: {
    supported: boolean;
  };
  bulk: {
    supported: boolean;
    maxOperations: number;
    maxPayloadSize: number;
  };
  filter: {
    supported: boolean;
    maxResults: number;
  };
  changePassword: {
    supported: boolean;
  };
  sort: {
    supported: boolean;
  };
  etag: {
    supported: boolean;
  };
  authenticationSchemes: {
    type: 'oauthbearertoken';
    name: string;
    description: string;
  }[];
}

export interface ScimList {
  schemas: 'urn:ietf:params:scim:api:messages:2.0:ListResponse'[];
  totalResults: number;
  startIndex: number;
  itemsPerPage: number;
  Resources: ScimUser[];
}

export interface ScimUser {
  schemas: 'urn:ietf:params:scim:schemas:core:2.0:User'[];
  id: string;
  /** the e-mail address */
  userName: string;
  name: {
    givenName: string;
    familyName: string;
  };
  emails: {
    value: string;
    type: 'work';
    primary: true;
  }[];
  roles: {
    value: 'viewer' | 'member' | 'admin' | 'owner';
    primary: true;
  }[];
  /** false: no session and no key of theirs is let in */
  active: boolean;
  meta: {
    resourceType: 'User';
    /** when they joined the organization */
    created: string;
    /** relative to the base address of SCIM */
    location: string;
  };
}

export interface FoundEntity {
  id: string;
  organization_id: string;
  /** names it for programs */
  key: string;
  name: string;
  description: string | null;
  created_by: string;
  created_at: string;
  updated_at: string;
  /** how well it fits: the higher, the better */
  score: number;
}

export interface FoundTemplate {
  id: string;
  organization_id: string;
  /** names it for programs; the same template has the same key in every environment */
  key: string;
  name: string;
  description: string | null;
  type: string;
  /** name under which its messages are posted */
  user_name: string | null;
  /** icon of its messages, like `:rocket:` */
  icon_emoji: string | null;
  /** notification text; may hold placeholders */
  fallback_text: string | null;
  /** BCP 47, of numbers and dates where a request names none */
  locale: string | null;
  /** IANA name, where a request names none */
  timezone: string | null;
  /** whether a missing value is an error where a request does not say */
  strict: boolean;
  /** whether agents get a tool that sends its live version */
  agent_sends?: boolean;
  lifecycle: 'active' | 'archived';
  /** the live version */
  current_version_id: string | null;
  created_by: string;
  created_at: string;
  updated_at: string;
  archived_at: string | null;
  /** how well it fits: the higher, the better */
  score: number;
}

export interface Template {
  id: string;
  organization_id: string;
  /** names it for programs; the same template has the same key in every environment */
  key: string;
  name: string;
  description: string | null;
  type: string;
  /** name under which its messages are posted */
  user_name: string | null;
  /** icon of its messages, like `:rocket:` */
  icon_emoji: string | null;
  /** notification text; may hold placeholders */
  fallback_text: string | null;
  /** BCP 47, of numbers and dates where a request names none */
  locale: string | null;
  /** IANA name, where a request names none */
  timezone: string | null;
  /** whether a missing value is an error where a request does not say */
  strict: boolean;
  /** whether agents get a tool that sends its live version */
  agent_sends?: boolean;
  lifecycle: 'active' | 'archived';
  /** the live version */
  current_version_id: string | null;
  created_by: string;
  created_at: string;
  updated_at: string;
  archived_at: string | null;
}

export interface TemplateVersion {
  id: string;
  template_id: string;
  /** 1, 2, 3 … within the template */
  version_number: number;
  blocks: Block[];
  sample_data: Record<string, unknown> | null;
  /** every path that the version reads, flat */
  request_format: Record<string, null>;
  /** the entity that describes its data */
  entity_id: string | null;
  note: string | null;
  /** never live, live, live before */
  status: 'draft' | 'active' | 'inactive';
  is_current: boolean;
  created_by: string;
  created_at: string;
}

export interface Promotion {
  from: 'production' | 'preview';
  to: 'production' | 'preview';
  dry_run: boolean;
  /** false when everything was there already */
  changed: boolean;
  templates: PromotedTemplate[];
  /** those that describe the data of the templates and samples */
  entities: PromotedEntity[];
  unmapped: UnmappedReference[];
}

export interface PromotedTemplate {
  key: string;
  /** updated: another version, or other metadata */
  action: 'created' | 'updated' | 'unchanged';
  /** null in a dry run that would create it */
  template_id: string | null;
  /** the version with the content; null in a dry run that would make it */
  version_id: string | null;
  version_number: number;
  has_new_version: boolean;
  /** whether this request made the version live */
  is_activated: boolean;
  /** true where `activate` leaves the version as it is: it was live here before, and another was made live since. Its own activation makes it live again */
  activation_left: boolean;
  /** metadata that differs and stays, since it would change the messages of the live version */
  metadata_left: string[];
  samples: {
    created: number;
    updated: number;
    unchanged: number;
  };
  /** stored data that breaks when the version is made live; a line each */
  breaks: string[];
  source: {
    template_id: string;
    version_id: string;
    version_number: number;
  };
}

export interface PromotedEntity {
  key: string;
  action: 'created' | 'updated' | 'unchanged';
  /** null in a dry run that would create it */
  entity_id: string | null;
}

export interface UnmappedReference {
  kind: 'modal' | 'destination' | 'queue';
  /** in the environment that is promoted from */
  id: string;
  /** null where that environment has no such thing either */
  key: string | null;
  template_key: string;
  /** JSON pointer into {blocks}; null for a queue, which names the template */
  pointer: string | null;
  /** false for a queue: the template is promoted without it */
  is_blocking: boolean;
  message: string;
}

export interface BulkResult {
  /** as it was given */
  destination: {
    channel_id?: string;
    recipient_email?: string;
    recipient_chat_id?: string;
  };
  /** its row in the message log, whatever became of it */
  message_id: string;
  /** the conversation posted to; only of a sent message */
  channel?: string;
  success: boolean;
  /** only of a sent message */
  message_ts?: string;
  /** why it was not sent; delivery_outcome_unknown where that is unknown */
  error?: ErrorCode;
  /** the same for people; only with error */
  error_message?: string;
  /** only with error: true where nothing was posted and a new request for this destination may succeed as it is */
  retryable?: boolean;
  /** the charge; only of a sent message */
  credit_log_id?: string;
}

export interface Problem {
  /** JSON pointer into {blocks, fallback_text}, wherever the template came from: /blocks/0/text, /blocks for all of them, or /fallback_text */
  pointer: string;
  rule: string;
  message: string;
  /** name of the limit that is exceeded */
  limit?: string;
  max?: number;
  actual?: number;
  /** a likely remedy */
  hint?: string;
}

export interface TemplateDraftSummary {
  /** one more with each change; never used again in the template */
  revision: number;
  /** the author of this revision */
  updated_by: string;
  updated_at: string;
}

export interface TemplateActivation {
  id: string;
  template_id: string;
  version_id: string;
  version_number: number;
  previous_version_id?: string;
  activated_by: string;
  source: 'web' | 'api' | 'migration';
  note?: string;
  created_at: string;
}

export interface LifecycleChange {
  id: string;
  lifecycle: 'active' | 'archived';
  /** when it was archived last; absent where it never was */
  archived_at?: string;
  /** false when it was so before */
  changed: boolean;
}

export interface TemplateDiff {
  added: {
    block_id: string | null;
    type: string;
    /** JSON pointer into {blocks} of the version */
    pointer: string;
    block: Block;
  }[];
  removed: {
    block_id: string | null;
    type: string;
    /** JSON pointer into {blocks} of the version compared with */
    pointer: string;
    block: Block;
  }[];
  /** the fewest blocks whose moves explain the new order; a block that only makes room is not listed */
  moved: {
    block_id: string | null;
    type: string;
    /** JSON pointer into {blocks} of the version compared with */
    from: string;
    /** JSON pointer into {blocks} of the version */
    to: string;
  }[];
  changed: {
    block_id: string | null;
    type: string;
    /** JSON pointer into {blocks} of the version */
    pointer: string;
    /** JSON pointer into {blocks} of the version compared with */
    before: string;
    changes: ValueChange[];
  }[];
  template_id: string;
  /** the version that was compared; null for blocks and the draft */
  version_id: string | null;
  version_number: number | null;
  /** the revision of the draft that was compared */
  draft_revision: number | null;
  against: {
    version_id: string;
    version_number: number;
  };
}

export interface ValueChange {
  op: 'add' | 'remove' | 'replace';
  /** JSON pointer into {blocks}: of the version, or where removed of the other */
  pointer: string;
  /** absent where added */
  from?: unknown;
  /** absent where removed */
  to?: unknown;
}

export interface TemplateDraft {
  template_id: string;
  blocks: unknown[];
  /** what saving changes of the template besides its blocks; what is left out stays as it is */
  metadata: {
    name?: string;
    description?: string | null;
    type?: string;
    user_name?: string | null;
    icon_emoji?: string | null;
    fallback_text?: string | null;
    locale?: string | null;
    timezone?: string | null;
    strict?: boolean;
  };
  sample_data: Record<string, unknown> | null;
  /** the version that the draft was begun from */
  base_version_id: string | null;
  /** one more with each change; never used again in the template */
  revision: number;
  /** the author of this revision */
  updated_by: string;
  created_at: string;
  updated_at: string;
}

export interface TemplateImpact {
  template_id: string;
  /** the version that was looked at; null for blocks */
  version_id: string | null;
  /** the live version that it was compared with */
  current_version_id: string | null;
  /** how what it reads differs from the live version */
  inputs: {
    /** paths that are required, and were not */
    required: string[];
    /** paths that are read, and were not */
    added: string[];
    /** paths that are not read any more */
    gone: string[];
    /** paths of another type: by how they are read, then by entity and sample data of the live version */
    retyped: {
      path: string;
      from: string;
      to: string;
    }[];
  };
  /** stored data, what breaks first */
  data: DataImpact[];
  summary: {
    same: number;
    changed: number;
    warning: number;
    breaks: number;
  };
  /** data about which this says nothing */
  not_looked_at: {
    what: 'version_sample' | 'sample_data' | 'schedule' | 'batch' | 'sends';
    /** null where it is not known */
    count: number | null;
    why: string;
  }[];
}

export interface DataImpact {
  /** the sample data of the live version, saved sample data, a scheduled message, the events of a batch */
  source: 'version_sample' | 'sample_data' | 'schedule' | 'batch';
  /** of the version, the sample data, the schedule or the batch */
  id: string;
  /** the name of the sample data or of the queue, or the times of the schedule */
  name: string;
  /** who made it; null for a batch */
  owner: string | null;
  /** breaks: refused, or nothing is left to send; warning: a preview of it has warnings, such as a missing value or a text that is cut */
  effect: 'same' | 'changed' | 'warning' | 'breaks';
  /** the first five problems or warnings, missing values before other warnings */
  problems: {
    pointer: string;
    rule: string;
    message: string;
  }[];
  problem_count: number;
}

export interface InputField {
  name: string;
  /** path that the template reads, as placeholders write it; items of a list, and values of an object that a loop goes over, are `items[]` */
  path: string;
  label: string;
  /** by the entity, else by the sample data, else by how it is read */
  type: 'string' | 'number' | 'boolean' | 'date' | 'array' | 'object';
  /** read outside any `#if` and without a `default` */
  required: boolean;
  description?: string;
  /** from the sample data */
  example?: unknown;
  fields?: InputField[];
  /** of a list's items, or of the values of an object that a loop goes over */
  items?: InputField;
}

export interface AutomationParameter {
  /** path of the value in `data` */
  name: string;
  label: string;
  /** the kind of editor; lists and what has no fields of its own are given as JSON */
  type: 'text' | 'number' | 'boolean' | 'datetime' | 'json';
  required: boolean;
  /** an example from the sample data */
  default?: unknown;
  options: {
    label: string;
    value: unknown;
  }[];
  help: string;
}

export interface TemplateUse {
  template_id: string;
  /** active queues that make digests of it; the first ten */
  queues: {
    id: string;
    name: string;
  }[];
  /** batches that are not delivered yet; the first ten */
  batches: {
    id: string;
    status: 'collecting' | 'ready' | 'delivering' | 'delivered' | 'failed' | 'unknown';
    queue: {
      id: string;
      name: string;
    };
  }[];
  /** scheduled messages to come; the first ten */
  schedules: {
    id: string;
    timing: string;
  }[];
  /** modals that its live version opens; the first ten */
  modals: {
    id: string;
    name: string;
  }[];
  /** what compiled or sent it since `since`, the most first; the first hundred */
  callers: {
    /** the key, the session, or the queue or schedule by its kind and id */
    actor_id: string;
    /** of a key */
    name: string | null;
    operation: 'compile' | 'send' | 'send-bulk' | 'batch' | 'schedule';
    /** compiles or messages that were charged */
    count: number;
    last_at: string;
  }[];
  since: string;
}

export interface TemplateVersionSummary {
  id: string;
  template_id: string;
  /** 1, 2, 3 … within the template */
  version_number: number;
  /** the entity that describes its data */
  entity_id: string | null;
  note: string | null;
  /** never live, live, live before */
  status: 'draft' | 'active' | 'inactive';
  is_current: boolean;
  created_by: string;
  created_at: string;
}

export interface VersionDiff {
  added: {
    block_id: string | null;
    type: string;
    /** JSON pointer into {blocks} of the version */
    pointer: string;
    block: Block;
  }[];
  removed: {
    block_id: string | null;
    type: string;
    /** JSON pointer into {blocks} of the version compared with */
    pointer: string;
    block: Block;
  }[];
  /** the fewest blocks whose moves explain the new order; a block that only makes room is not listed */
  moved: {
    block_id: string | null;
    type: string;
    /** JSON pointer into {blocks} of the version compared with */
    from: string;
    /** JSON pointer into {blocks} of the version */
    to: string;
  }[];
  changed: {
    block_id: string | null;
    type: string;
    /** JSON pointer into {blocks} of the version */
    pointer: string;
    /** JSON pointer into {blocks} of the version compared with */
    before: string;
    changes: ValueChange[];
  }[];
  template_id: string;
  version_id: string;
  version_number: number;
  against: {
    version_id: string;
    version_number: number;
  };
}

export interface UsageTotal {
  /** compiles and messages that were charged */
  charges: number;
  /** charges taken back because their answers were lost */
  reversals: number;
  /** what was spent: charges less reversals */
  credits: number;
}

export interface UsageGroup {
  /** the UTC day, the operation, or the id of the template or key; null where none is known */
  group: string | null;
  /** compiles and messages that were charged */
  charges: number;
  /** charges taken back because their answers were lost */
  reversals: number;
  /** what was spent: charges less reversals */
  credits: number;
}

export interface UsageLimits {
  tier: 'free' | 'pro' | 'enterprise';
  credits: {
    balance: number;
    reserved: number;
    /** what can be spent now, overage included */
    available: number;
    overage_limit: number;
    overage_used: number;
    monthly_grant: number;
    /** the first of the next month, UTC */
    next_grant_at: string;
  };
  events: {
    per_day: number;
    /** null while the service that counts does not answer */
    used_today: number | null;
    left_today: number | null;
    /** the next 00:00 UTC */
    resets_at: string;
  };
  queues: {
    /** active queues at most */
    active: number;
    modes: ('rolling_window' | 'fixed_volume')[];
  };
  /** what may be stored, both environments together */
  stored: {
    templates: {
      limit: number;
      /** null while the service that counts does not answer */
      used: number | null;
    };
    modals: {
      limit: number;
      /** null while the service that counts does not answer */
      used: number | null;
    };
    entities: {
      limit: number;
      /** null while the service that counts does not answer */
      used: number | null;
    };
    sample_data: {
      limit: number;
      /** null while the service that counts does not answer */
      used: number | null;
    };
    destinations: {
      limit: number;
      /** null while the service that counts does not answer */
      used: number | null;
    };
    /** active ones */
    scheduled_messages: {
      limit: number;
      /** null while the service that counts does not answer */
      used: number | null;
    };
    /** bytes of the data of active scheduled messages */
    scheduled_data_bytes: {
      limit: number;
      /** null while the service that counts does not answer */
      used: number | null;
    };
    /** bytes of blocks, steps and data: of templates with their drafts, modals and sample data */
    bytes: {
      limit: number;
      /** null while the service that counts does not answer */
      used: number | null;
    };
    versions: {
      /** versions of one template or modal */
      limit: number;
    };
    entity_fields: {
      /** fields of one entity */
      limit: number;
    };
  };
}

export interface Profile {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  created_at: string;
  last_active: string | null;
  organizations: {
    id: string;
    name: string;
    role: 'viewer' | 'member' | 'admin' | 'owner';
    joined_at: string;
  }[];
}

export interface OwnOrganization {
  id: string;
  name: string;
  /** a suspended one refuses every request */
  status: 'active' | 'suspended' | 'deleted';
  role: 'viewer' | 'member' | 'admin' | 'owner';
  /** a session acts in one of them at a time */
  environments: ('production' | 'preview')[];
  joined_at: string;
}

export interface ListApiKeysQuery {
  /** items of the page */
  limit?: number;
  /** items to skip */
  offset?: number;
  /** default: the caller's own; only a session may name the other one */
  environment?: 'production' | 'preview';
  status?: 'active' | 'expired' | 'revoked';
  /** keys that this key has made */
  parent_key_id?: string;
}

export interface ListApiKeysReply {
  data: ApiKey[];
  pagination: Pagination;
}

export interface CreateApiKeyBody {
  name: string;
  description?: string;
  /** default: the caller's own; only a session may name the other one */
  environment?: 'production' | 'preview';
  scopes: Scope[];
  /** addresses and CIDRs of IPv4 and IPv6 from where the key may be used; empty: from anywhere, or those of the creating key */
  allowed_addresses?: string[];
  /** in the future, and no later than the expiry of the creating key; default: that of the creating key, else none */
  expires_at?: string | null;
}

export interface CreateApiKeyReply {
  id: string;
  name: string;
  description: string | null;
  environment: 'production' | 'preview';
  /** the beginning of the key, to tell it from others */
  key_prefix: string;
  /** what it may do now: cut to what the role of the user behind it allows */
  scopes: Scope[];
  /** CIDRs from where the key may be used; none: from anywhere */
  allowed_addresses: string[];
  /** the user who created the key */
  user_id: string;
  /** the key that made it; null where a session or an operator did */
  parent_key_id: string | null;
  status: 'active' | 'expired' | 'revoked';
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  /** the key itself: keep it, it is not stored */
  key: string;
}

export interface RevokeApiKeyQuery {
  /** default: the caller's own; only a session may name the other one */
  environment?: 'production' | 'preview';
  /** true: also revoke the keys that it has created, and those created by these */
  descendants?: 'true' | 'false';
}

export interface ListAuditLogQuery {
  /** items of the page */
  limit?: number;
  /** items to skip */
  offset?: number;
  /** this action only, like `template.activated` */
  action?: string;
  /** like `template` */
  subject_kind?: string;
  subject_id?: string;
  /** changes on behalf of this user */
  user_id?: string;
  /** changes by this key or session */
  actor_id?: string;
  /** changes that this request made */
  request_id?: string;
  environment?: 'production' | 'preview';
  /** changes at or after this moment */
  from?: string;
  /** changes before this moment */
  to?: string;
}

export interface ListAuditLogReply {
  data: AuditRecord[];
  pagination: Pagination;
}

export interface ExportAuditLogQuery {
  /** `next_cursor` of the previous answer; default: from the oldest entry */
  cursor?: string;
  /** most entries of the answer */
  count?: number;
  /** changes at or after this moment */
  from?: string;
  /** changes before this moment */
  to?: string;
}

export interface ReplaceChatConnectionBody {
  bot_token: string;
}

export interface DeleteChatConnectionReply {
  success: true;
  id: string;
  /** the platform was told to revoke the token, and has done so */
  revoked: boolean;
}

export interface InstallChatConnectionReply {
  /** where to send the browser */
  url: string;
  expires_at: string;
}

export interface ReplaceTestTargetsBody {
  targets: TestTarget[];
}

export interface ListCreditLogQuery {
  /** items of the page */
  limit?: number;
  /** items to skip */
  offset?: number;
  kind?: 'grant' | 'charge' | 'reversal' | 'adjustment';
  operation?: 'compile' | 'send' | 'send-bulk' | 'batch' | 'schedule';
  template_id?: string;
  /** what this key or session paid */
  key_id?: string;
  /** a UTC day */
  day?: string;
}

export interface ListCreditLogReply {
  data: CreditLogEntry[];
  pagination: Pagination;
}

export interface ListDestinationsQuery {
  /** items of the page */
  limit?: number;
  /** items to skip */
  offset?: number;
  /** the one with this key */
  key?: string;
  is_active?: 'true' | 'false';
  sort?: 'created_at' | '-created_at' | 'updated_at' | '-updated_at' | 'name' | '-name';
}

export interface ListDestinationsReply {
  data: Destination[];
  pagination: Pagination;
}

export interface CreateDestinationBody {
  name: string;
  /** names it for programs, the same in every environment; made from the name unless given */
  key?: string;
  url: string;
  description?: string;
  method?: 'POST' | 'PUT' | 'PATCH';
  /** write-only: answers show names alone */
  headers?: Record<string, string>;
  /** bearer and basic need an Authorization header of that scheme among the headers */
  auth_type?: 'none' | 'bearer' | 'basic' | 'custom';
  is_active?: boolean;
  /** false: one attempt, and a lost answer leaves the outcome unknown */
  retry_enabled?: boolean;
  max_retries?: number;
  retry_strategy?: 'fixed' | 'linear' | 'exponential';
  retry_initial_delay_ms?: number;
  retry_max_delay_ms?: number;
  timeout_ms?: number;
}

export interface UpdateDestinationBody {
  name?: string;
  description?: string;
  url?: string;
  method?: 'POST' | 'PUT' | 'PATCH';
  /** write-only: answers show names alone */
  headers?: Record<string, string>;
  /** bearer and basic need an Authorization header of that scheme among the headers */
  auth_type?: 'none' | 'bearer' | 'basic' | 'custom';
  is_active?: boolean;
  /** false: one attempt, and a lost answer leaves the outcome unknown */
  retry_enabled?: boolean;
  max_retries?: number;
  retry_strategy?: 'fixed' | 'linear' | 'exponential';
  retry_initial_delay_ms?: number;
  retry_max_delay_ms?: number;
  timeout_ms?: number;
}

export interface ListDeliveriesQuery {
  /** items of the page */
  limit?: number;
  /** items to skip */
  offset?: number;
  status?: 'waiting' | 'delivered' | 'failed' | 'unknown';
}

export interface ListDeliveriesReply {
  data: Delivery[];
  pagination: Pagination;
}

export interface GetDeliveryReply {
  /** also the `webhook-id` of every attempt */
  id: string;
  destination_id: string;
  origin: 'batch' | 'interaction' | 'schedule' | 'event' | 'test';
  /** the batch, the interaction, the schedule or the event; for a test the delivery itself */
  origin_id: string;
  status: 'waiting' | 'delivered' | 'failed' | 'unknown';
  error?: ErrorCode;
  next_attempt_at?: string;
  /** oldest first */
  attempts: DeliveryAttempt[];
  created_at: string;
  updated_at: string;
  /** JSON text, as it is signed and sent */
  payload: string;
}

export interface TestDestinationBody {
  payload?: Record<string, unknown>;
}

export interface TestDestinationReply {
  /** it answered 2xx */
  success: boolean;
  delivery: Delivery;
}

export interface ListEntitiesQuery {
  /** items of the page */
  limit?: number;
  /** items to skip */
  offset?: number;
  /** the one with this key */
  key?: string;
  /** part of the name, in any case */
  q?: string;
  sort?: 'created_at' | '-created_at' | 'updated_at' | '-updated_at' | 'name' | '-name';
}

export interface ListEntitiesReply {
  data: Entity[];
  pagination: Pagination;
}

export interface CreateEntityBody {
  name: string;
  /** names it for programs, the same in every environment; made from the name unless given */
  key?: string;
  description?: string | null;
}

export interface UpdateEntityBody {
  name?: string;
  description?: string | null;
}

export interface CreateEntityFieldBody {
  name: string;
  type: 'string' | 'number' | 'boolean' | 'date' | 'array' | 'object';
  /** what people call it */
  label?: string | null;
  description?: string | null;
  /** data without it does not fit the entity; default false */
  required?: boolean;
  /** the object that it is a part of, or the list of objects; null for the top */
  parent_field_id?: string | null;
}

export interface UpdateEntityFieldBody {
  name?: string;
  type?: 'string' | 'number' | 'boolean' | 'date' | 'array' | 'object';
  /** what people call it */
  label?: string | null;
  description?: string | null;
  /** data without it does not fit the entity; default false */
  required?: boolean;
  /** the object that it is a part of, or the list of objects; null for the top */
  parent_field_id?: string | null;
}

export interface ListEventSubscriptionsQuery {
  /** items of the page */
  limit?: number;
  /** items to skip */
  offset?: number;
  /** those that deliver to this destination */
  destination_id?: string;
  /** the key of the destination, in place of its id */
  destination_key?: string;
  /** those that take this type */
  type?: 'message.sent' | 'message.failed' | 'message.unknown' | 'batch.failed' | 'template.activated' | 'credits.low' | 'connection.revoked';
}

export interface ListEventSubscriptionsReply {
  data: EventSubscription[];
  pagination: Pagination;
}

export type CreateEventSubscriptionBody = {
  /** the types of events that it takes */
  types: ('message.sent' | 'message.failed' | 'message.unknown' | 'batch.failed' | 'template.activated' | 'credits.low' | 'connection.revoked')[];
  description?: string;
  /** an inactive subscription gets no events, and none later for that time */
  is_active?: boolean;
} & (
  | { destination_id: string; destination_key?: never }
  | { destination_id?: never; destination_key: string }
);

export interface UpdateEventSubscriptionBody {
  /** where the events are delivered to; or give its key */
  destination_id?: string;
  /** the key of the destination, in place of its id */
  destination_key?: string;
  /** the types of events that it takes */
  types?: ('message.sent' | 'message.failed' | 'message.unknown' | 'batch.failed' | 'template.activated' | 'credits.low' | 'connection.revoked')[];
  description?: string;
  /** an inactive subscription gets no events, and none later for that time */
  is_active?: boolean;
}

export interface ListEventsQuery {
  /** events of this type */
  type?: 'message.sent' | 'message.failed' | 'message.unknown' | 'batch.failed' | 'template.activated' | 'credits.low' | 'connection.revoked';
  /** events at or after this moment */
  from?: string;
  /** events before this moment */
  to?: string;
  /** most events of the answer */
  count?: number;
  /** `next_cursor` of the previous answer; default: from the newest event */
  cursor?: string;
}

export interface ListInteractionsQuery {
  /** items of the page */
  limit?: number;
  /** items to skip */
  offset?: number;
  kind?: 'block_actions' | 'view_submission';
  message_id?: string;
  /** chat id of the person */
  user_id?: string;
}

export interface ListInteractionsReply {
  data: Interaction[];
  pagination: Pagination;
}

export type AcceptInvitationBody = unknown;

export interface AcceptInvitationReply {
  success: true;
  organization_id: string;
  organization_name: string;
  user_id: string;
  role: 'viewer' | 'member' | 'admin' | 'owner';
}

export interface ListMessagesQuery {
  /** items of the page */
  limit?: number;
  /** items to skip */
  offset?: number;
  status?: 'accepted' | 'posting' | 'sent' | 'failed' | 'unknown';
  template_id?: string;
  /** the key of the template, in place of its id */
  template_key?: string;
  version_id?: string;
  /** the channel as the request named it, or the conversation posted to */
  channel?: string;
  /** the person as the request named them, by e-mail address or chat id */
  recipient?: string;
  /** what asked for the messages */
  origin?: 'send' | 'bulk' | 'batch' | 'schedule';
  /** true: test sends alone; false: all others */
  test?: 'true' | 'false';
  /** the `Idempotency-Key` with which the messages were asked for */
  idempotency_key?: string;
  /** messages made at or after this moment */
  from?: string;
  /** messages made before this moment */
  to?: string;
  /** `next_before` of the answer before: continues with older messages, whatever is new meanwhile */
  before?: string;
  /** messages that this request asked for, by its `X-Request-Id` */
  request_id?: string;
  credit_log_id?: string;
}

export interface ListMessagesReply {
  data: Message[];
  pagination: Pagination;
  /** `before` of the next request; null where no older message is left */
  next_before: string | null;
}

export interface StreamMessagesQuery {
  status?: 'accepted' | 'posting' | 'sent' | 'failed' | 'unknown';
  template_id?: string;
  /** the key of the template, in place of its id */
  template_key?: string;
  version_id?: string;
  /** the channel as the request named it, or the conversation posted to */
  channel?: string;
  /** the person as the request named them, by e-mail address or chat id */
  recipient?: string;
  /** what asked for the messages */
  origin?: 'send' | 'bulk' | 'batch' | 'schedule';
  /** true: test sends alone; false: all others */
  test?: 'true' | 'false';
  /** the `Idempotency-Key` with which the messages were asked for */
  idempotency_key?: string;
  /** the id of an event: continues after it; `Last-Event-ID` goes before it */
  after?: string;
}

export interface ListModalsQuery {
  /** items of the page */
  limit?: number;
  /** items to skip */
  offset?: number;
  /** the one with this key */
  key?: string;
  /** part of the name, in any case */
  q?: string;
  sort?: 'created_at' | '-created_at' | 'updated_at' | '-updated_at' | 'name' | '-name';
}

export interface ListModalsReply {
  data: ModalDefinitionSummary[];
  pagination: Pagination;
}

export interface CreateModalBody {
  name: string;
  /** names it for programs, the same in every environment; made from the name unless given */
  key?: string;
  title: string;
  blocks: Block[];
  description?: string | null;
  submit_label?: string;
  close_label?: string;
  sample_data?: Record<string, unknown>;
  activate?: boolean;
}

export interface UpdateModalBody {
  name?: string;
  /** until a version has been active: then 409 invalid_state */
  key?: string;
  description?: string | null;
  title?: string;
  submit_label?: string;
  close_label?: string;
  steps?: {
    title: string;
    blocks: Block[];
    /** default: the modal's */
    submit_label?: string | null;
  }[] | null;
}

export interface PreviewModalBody {
  version_id?: string;
  /** from 0; of a modal with steps */
  step?: number;
  data?: Record<string, unknown>;
  /** a missing value is an error instead of a warning */
  strict?: boolean;
  /** BCP 47; default en-US */
  locale?: string;
  /** IANA name; default UTC */
  timezone?: string;
}

export interface PreviewModalReply {
  success: true;
  modal: {
    id: string;
    name: string;
  };
  version_id: string;
  version_number: number;
  step: number;
  /** 1 for a modal without steps */
  step_count: number;
  view: ModalView;
  warnings: string[];
  chat_truncation: ChatTruncation;
}

export interface ListModalVersionsQuery {
  /** items of the page */
  limit?: number;
  /** items to skip */
  offset?: number;
}

export interface ListModalVersionsReply {
  data: ModalVersion[];
  pagination: Pagination;
}

export interface AppendModalVersionBody {
  blocks: Block[];
  sample_data?: Record<string, unknown>;
  placeholder_mapping?: Record<string, string> | null;
  activate?: boolean;
}

export interface UpdateOrganizationBody {
  name?: string;
  /** true: a version with which stored data breaks is made live only with `accept_breaks: true`; else 409 activation_breaks */
  guard_activation?: boolean;
  /** who may make a version live, beside the scope: `anyone`; a `person`, and no key; `another_person` than the author of the version and the one who proposed it; else 403 activation_refused. A session alone changes it, not a key */
  activation?: 'anyone' | 'person' | 'another_person';
}

export interface ListInvitationsQuery {
  /** items of the page */
  limit?: number;
  /** items to skip */
  offset?: number;
  status?: 'pending' | 'accepted' | 'revoked' | 'expired';
}

export interface ListInvitationsReply {
  data: Invitation[];
  pagination: Pagination;
}

export interface InviteMemberBody {
  email: string;
  role: 'viewer' | 'member' | 'admin';
  /** is shown in the e-mail */
  message?: string;
}

export interface InviteMemberReply {
  success: true;
  message: string;
  invitation_id: string;
  email_sent: boolean;
}

export interface ListMembersQuery {
  /** items of the page */
  limit?: number;
  /** items to skip */
  offset?: number;
  role?: 'viewer' | 'member' | 'admin' | 'owner';
}

export interface ListMembersReply {
  data: OrganizationUser[];
  pagination: Pagination;
}

export interface UpdateMemberBody {
  role: 'viewer' | 'member' | 'admin' | 'owner';
}

export interface TransferOwnershipBody {
  /** a member of the organization */
  user_id: string;
}

export interface TransferOwnershipReply {
  success: true;
  owner: OrganizationUser;
  previous_owner: OrganizationUser;
}

export interface ListProposalsQuery {
  /** items of the page */
  limit?: number;
  /** items to skip */
  offset?: number;
  /** those with this status */
  status?: 'open' | 'accepted' | 'declined' | 'withdrawn' | 'superseded';
}

export interface ListProposalsReply {
  data: TemplateProposal[];
  pagination: Pagination;
}

export interface ListQueuesQuery {
  /** items of the page */
  limit?: number;
  /** items to skip */
  offset?: number;
  /** the one with this key */
  key?: string;
  mode?: 'rolling_window' | 'fixed_volume';
  is_active?: 'true' | 'false';
}

export interface ListQueuesReply {
  data: Queue[];
  pagination: Pagination;
}

export type CreateQueueBody = {
  name: string;
  description?: string | null;
  mode: 'rolling_window' | 'fixed_volume';
  /** rolling_window: seconds of silence after which the batch is closed */
  window_seconds?: number;
  /** rolling_window: seconds after the first event at which it is closed at the latest */
  max_window_seconds?: number;
  /** fixed_volume: events that close the batch */
  threshold?: number;
  /** fixed_volume: seconds after the first event at which it is closed at the latest; default 86,400 */
  max_wait_seconds?: number;
  /** makes the digest; may be left out for a destination */
  template_id?: string | null;
  /** the key of the template, in place of its id */
  template_key?: string;
  /** what is done with a message whose outcome is unknown. `hold`: it is never posted again by itself. `repost`: it is posted again where a lookup ten minutes after its post does not find it in the channel, three times at most; the channel may then show it up to four times */
  on_unknown?: 'hold' | 'repost';
  /** an inactive queue takes no events; default true */
  is_active?: boolean;
  /** names it for programs, the same in every environment; made from the name unless given */
  key?: string;
} & (
  | { channel_id: string; recipient_email?: null; recipient_chat_id?: null; destination_id?: null; destination_key?: never }
  | { channel_id?: null; recipient_email: string; recipient_chat_id?: null; destination_id?: null; destination_key?: never }
  | { channel_id?: null; recipient_email?: null; recipient_chat_id: string; destination_id?: null; destination_key?: never }
  | { channel_id?: null; recipient_email?: null; recipient_chat_id?: null; destination_id: string; destination_key?: never }
  | { channel_id?: null; recipient_email?: null; recipient_chat_id?: null; destination_id?: null; destination_key: string }
);

export interface UpdateQueueBody {
  name?: string;
  description?: string | null;
  mode?: 'rolling_window' | 'fixed_volume';
  /** rolling_window: seconds of silence after which the batch is closed */
  window_seconds?: number;
  /** rolling_window: seconds after the first event at which it is closed at the latest */
  max_window_seconds?: number;
  /** fixed_volume: events that close the batch */
  threshold?: number;
  /** fixed_volume: seconds after the first event at which it is closed at the latest; default 86,400 */
  max_wait_seconds?: number;
  /** makes the digest; may be left out for a destination */
  template_id?: string | null;
  /** the key of the template, in place of its id */
  template_key?: string;
  channel_id?: string | null;
  recipient_email?: string | null;
  recipient_chat_id?: string | null;
  destination_id?: string | null;
  /** the key of the destination, in place of its id */
  destination_key?: string;
  /** what is done with a message whose outcome is unknown. `hold`: it is never posted again by itself. `repost`: it is posted again where a lookup ten minutes after its post does not find it in the channel, three times at most; the channel may then show it up to four times */
  on_unknown?: 'hold' | 'repost';
  /** an inactive queue takes no events; default true */
  is_active?: boolean;
}

export interface DeleteQueueReply {
  success: true;
  id: string;
}

export interface ListBatchesQuery {
  /** items of the page */
  limit?: number;
  /** items to skip */
  offset?: number;
  status?: 'collecting' | 'ready' | 'delivering' | 'delivered' | 'failed' | 'unknown';
}

export interface ListBatchesReply {
  data: Batch[];
  pagination: Pagination;
}

export interface GetBatchQuery {
  /** items of the page */
  limit?: number;
  /** items to skip */
  offset?: number;
}

export interface GetBatchReply {
  id: string;
  queue_id: string;
  status: 'collecting' | 'ready' | 'delivering' | 'delivered' | 'failed' | 'unknown';
  close_reason: 'window_elapsed' | 'max_window' | 'threshold' | 'size' | 'max_wait' | 'flushed' | null;
  event_count: number;
  opened_at: string;
  /** when it is closed at the latest, if no more events arrive */
  window_end: string;
  closed_at: string | null;
  /** when its outcome became known */
  ended_at: string | null;
  /** 1 for the first delivery; each retry is one more */
  attempt: number;
  /** why it failed */
  error: ErrorCode | null;
  error_details: string | null;
  /** entries of the digest that its events did not fit; null where none was left out */
  left_out: LeftOut | null;
  message_id: string | null;
  delivery_id: string | null;
  credit_log_id: string | null;
  events: QueuedEvent[];
  pagination: Pagination;
}

export interface RetryBatchBody {
  /** you have seen that nothing was posted */
  confirm_not_posted?: boolean;
  /** take the template that the queue names now in place of the one with which the batch began */
  use_current_template?: boolean;
}

export interface PushEventsBody {
  events: Record<string, unknown>[];
}

export interface PushEventsReply {
  batch_id: string;
  /** in the order of the request */
  event_ids: string[];
  batch_status: 'collecting' | 'ready' | 'delivering' | 'delivered' | 'failed' | 'unknown';
  window_end: string;
  /** events of the batch after the push */
  event_count: number;
}

export interface FlushQueueReply {
  /** false when no batch was open */
  flushed: boolean;
  batch: Batch | null;
}

export interface ListSampleDataQuery {
  /** items of the page */
  limit?: number;
  /** items to skip */
  offset?: number;
  /** the template; or give its key */
  template_id?: string;
  /** the key of the template, in place of its id */
  template_key?: string;
  entity_id?: string;
  /** the key of the entity, in place of its id */
  entity_key?: string;
  /** part of the name, in any case */
  q?: string;
  sort?: 'created_at' | '-created_at' | 'updated_at' | '-updated_at' | 'name' | '-name';
}

export interface ListSampleDataReply {
  data: SampleDataSummary[];
  pagination: Pagination;
}

export interface CreateSampleDataBody {
  name: string;
  data: Record<string, unknown>;
  description?: string | null;
  /** the template that it is for */
  template_id?: string | null;
  /** the key of the template, in place of its id */
  template_key?: string;
  /** the entity that the data must fit */
  entity_id?: string | null;
  /** the key of the entity, in place of its id */
  entity_key?: string;
}

export interface UpdateSampleDataBody {
  name?: string;
  data?: Record<string, unknown>;
  description?: string | null;
  /** the template that it is for */
  template_id?: string | null;
  /** the key of the template, in place of its id */
  template_key?: string;
  /** the entity that the data must fit */
  entity_id?: string | null;
  /** the key of the entity, in place of its id */
  entity_key?: string;
}

export interface ListScheduledMessagesQuery {
  /** items of the page */
  limit?: number;
  /** items to skip */
  offset?: number;
  status?: 'active' | 'completed' | 'cancelled';
  /** the template; or give its key */
  template_id?: string;
  /** the key of the template, in place of its id */
  template_key?: string;
}

export interface ListScheduledMessagesReply {
  data: ScheduledMessage[];
  pagination: Pagination;
}

export type CreateScheduledMessageBody = {
  /** values that the template reads */
  data?: Record<string, unknown>;
  /** a missing value is an error instead of a warning; default: the template's, else false */
  strict?: boolean;
  /** BCP 47, for numbers and dates; default: the template's, else en-US */
  locale?: string;
  /** IANA name, for the cron and for dates in the message; default: UTC for the cron, the template's for dates */
  timezone?: string;
  /** message_ts of the message to reply to, as text: a number would lose its zeros */
  thread_ts?: string;
  /** what is done with a message whose outcome is unknown. `hold`: it is never posted again by itself. `repost`: it is posted again where a lookup ten minutes after its post does not find it in the channel, three times at most; the channel may then show it up to four times */
  on_unknown?: 'hold' | 'repost';
  /** after a downtime, send the missed run once; otherwise skip it */
  catch_up?: boolean;
} & (
  | { template_id: string; template_key?: never }
  | { template_id?: never; template_key: string }
) & (
  | { channel_id: string; recipient_email?: null; recipient_chat_id?: null }
  | { channel_id?: null; recipient_email: string; recipient_chat_id?: null }
  | { channel_id?: null; recipient_email?: null; recipient_chat_id: string }
) & (
  | { send_at: string; cron?: never }
  | { send_at?: never; cron: string }
);

export interface ListScimUsersQuery {
  filter?: string;
  /** number of the first one, from 1; a lower one counts as 1 */
  startIndex?: number;
  /** members of the answer at most; a higher number counts as 100, a negative one as 0 */
  count?: number;
  /** has no effect */
  attributes?: string;
  /** has no effect */
  excludedAttributes?: string;
  /** has no effect */
  sortBy?: string;
  /** has no effect */
  sortOrder?: string;
}

export interface ReplaceScimUserBody {
  schemas?: string[];
  active?: boolean | string;
  [key: string]: unknown;
}

export interface PatchScimUserBody {
  schemas?: string[];
  Operations: {
    op: string;
    path?: string;
    value?: unknown;
    [key: string]: unknown;
  }[];
  [key: string]: unknown;
}

export interface SearchEntitiesQuery {
  /** items of the page */
  limit?: number;
  /** items to skip */
  offset?: number;
  /** words of the name or the description, two letters or more; need not be spelt quite right */
  q: string;
}

export interface SearchEntitiesReply {
  data: FoundEntity[];
  pagination: Pagination;
}

export interface SearchTemplatesQuery {
  /** items of the page */
  limit?: number;
  /** items to skip */
  offset?: number;
  /** words of the name or the description, two letters or more; need not be spelt quite right */
  q: string;
  lifecycle?: 'active' | 'archived';
}

export interface SearchTemplatesReply {
  data: FoundTemplate[];
  pagination: Pagination;
}

export interface ListTemplatesQuery {
  /** items of the page */
  limit?: number;
  /** items to skip */
  offset?: number;
  /** the one with this key */
  key?: string;
  lifecycle?: 'active' | 'archived';
  type?: string;
  /** true: only those that agents may send */
  agent_sends?: 'true' | 'false';
  /** part of the name, in any case */
  q?: string;
  sort?: 'created_at' | '-created_at' | 'updated_at' | '-updated_at' | 'name' | '-name';
}

export interface ListTemplatesReply {
  data: Template[];
  pagination: Pagination;
}

export interface CreateTemplateBody {
  name: string;
  /** names it for programs, the same in every environment; made from the name unless given */
  key?: string;
  /** a label of your own to filter by */
  type?: string;
  description?: string | null;
  user_name?: string | null;
  icon_emoji?: string | null;
  fallback_text?: string | null;
  /** BCP 47, used where a request names none */
  locale?: string | null;
  /** IANA name, used where a request names none */
  timezone?: string | null;
  /** a missing value is an error where a request does not say; default false */
  strict?: boolean;
  blocks: Block[];
  sample_data?: Record<string, unknown>;
  /** the entity that describes its data */
  entity_id?: string | null;
  /** the key of the entity, in place of its id */
  entity_key?: string;
}

export interface CreateTemplateReply {
  id: string;
  organization_id: string;
  /** names it for programs; the same template has the same key in every environment */
  key: string;
  name: string;
  description: string | null;
  type: string;
  /** name under which its messages are posted */
  user_name: string | null;
  /** icon of its messages, like `:rocket:` */
  icon_emoji: string | null;
  /** notification text; may hold placeholders */
  fallback_text: string | null;
  /** BCP 47, of numbers and dates where a request names none */
  locale: string | null;
  /** IANA name, where a request names none */
  timezone: string | null;
  /** whether a missing value is an error where a request does not say */
  strict: boolean;
  /** whether agents get a tool that sends its live version */
  agent_sends?: boolean;
  lifecycle: 'active' | 'archived';
  /** the live version */
  current_version_id: string | null;
  created_by: string;
  created_at: string;
  updated_at: string;
  archived_at: string | null;
  version: TemplateVersion;
}

export interface GetBlockSchemaReply {
  /** the day on which the tables were compared with the chat platform, and what becomes of what is newer */
  platform: unknown;
  /** by type: keys, limits, surfaces, and the form with a `source` */
  block_types: unknown;
  elements: unknown;
  /** parts and inline elements */
  rich_text: unknown;
  table_cells: unknown;
  charts: unknown;
  directives: unknown;
  operators: unknown;
  filters: unknown;
  placeholder_syntax: unknown;
  positions: unknown;
  limits: unknown;
  interactivity: {
    limits: unknown;
    [key: string]: unknown;
  };
  /** JSON Schema 2020-12 of the blocks of a message; under `$defs/view_blocks` of a modal view */
  json_schema: {
    $schema: string;
    [key: string]: unknown;
  };
  [key: string]: unknown;
}

export type CompileTemplateBody = {
  /** values that the template reads */
  data?: Record<string, unknown>;
  /** a missing value is an error instead of a warning; default: the template's, else false */
  strict?: boolean;
  /** BCP 47, for numbers and dates; default: the template's, else en-US */
  locale?: string;
  /** IANA name; default: the template's, else UTC */
  timezone?: string;
} & (
  | { template_id: string; template_key?: never }
  | { template_id?: never; template_key: string }
);

export interface CompileTemplateReply {
  blocks: Block[];
  /** fallback for notifications */
  text: string;
  /** actions of interactive messages and the context they need */
  metadata?: Record<string, unknown>;
  success: true;
  template: {
    id: string;
    name: string;
  };
  version_id: string;
  version_number: number;
  warnings: string[];
  chat_truncation: ChatTruncation;
  credit_log_id: string;
  remaining_credits: number;
}

export type PreviewTemplateBody = {
  /** of the template; default: its live version */
  version_id?: string;
  data?: Record<string, unknown>;
  /** a missing value is an error instead of a warning; default: the template's, else false */
  strict?: boolean;
  /** BCP 47, for numbers and dates; default: the template's, else en-US */
  locale?: string;
  /** IANA name; default: the template's, else UTC */
  timezone?: string;
} & (
  | { template_id: string; template_key?: never; blocks?: never }
  | { template_id?: never; template_key: string; blocks?: never }
  | { template_id?: never; template_key?: never; blocks: Block[] }
);

export interface PreviewTemplateReply {
  blocks: Block[];
  /** fallback for notifications */
  text: string;
  /** actions of interactive messages and the context they need */
  metadata?: Record<string, unknown>;
  success: true;
  /** unless blocks were given; so are the two after it */
  template?: {
    id: string;
    name: string;
  };
  version_id?: string;
  version_number?: number;
  warnings: string[];
  chat_truncation: ChatTruncation;
}

export interface PromoteTemplatesBody {
  /** the environment to copy from, which is not that of the request */
  from: 'production' | 'preview';
  keys: string[];
  /** of the versions and activations; left out, that of each version */
  note?: string | null;
  /** makes each version live, with its metadata */
  activate?: boolean;
  /** as in the activation of a version: whether stored data may break */
  accept_breaks?: boolean;
  /** tells what would be done, and does nothing */
  dry_run?: boolean;
}

export type SendTemplateBody = {
  /** values that the template reads */
  data?: Record<string, unknown>;
  /** a missing value is an error instead of a warning; default: the template's, else false */
  strict?: boolean;
  /** BCP 47, for numbers and dates; default: the template's, else en-US */
  locale?: string;
  /** IANA name; default: the template's, else UTC */
  timezone?: string;
  /** message_ts of the message to reply to, as text: a number would lose its zeros */
  thread_ts?: string;
} & (
  | { channel_id: string; recipient_email?: null; recipient_chat_id?: null }
  | { channel_id?: null; recipient_email: string; recipient_chat_id?: null }
  | { channel_id?: null; recipient_email?: null; recipient_chat_id: string }
) & (
  | { template_id: string; template_key?: never }
  | { template_id?: never; template_key: string }
);

export interface SendTemplateReply {
  success: true;
  message_id: string;
  channel: string;
  message_ts: string;
  version_id: string;
  version_number: number;
  warnings: string[];
  chat_truncation: ChatTruncation;
  credit_log_id: string;
  remaining_credits: number;
}

export type SendBulkBody = {
  /** values that the template reads */
  data?: Record<string, unknown>;
  /** a missing value is an error instead of a warning; default: the template's, else false */
  strict?: boolean;
  /** BCP 47, for numbers and dates; default: the template's, else en-US */
  locale?: string;
  /** IANA name; default: the template's, else UTC */
  timezone?: string;
  destinations: ((
    | { channel_id: string; recipient_email?: null; recipient_chat_id?: null }
    | { channel_id?: null; recipient_email: string; recipient_chat_id?: null }
    | { channel_id?: null; recipient_email?: null; recipient_chat_id: string }
  ))[];
} & (
  | { template_id: string; template_key?: never }
  | { template_id?: never; template_key: string }
);

export interface SendBulkReply {
  /** true when every message was sent */
  success: boolean;
  /** one for each destination, in their order */
  results: BulkResult[];
  total_sent: number;
  total_failed: number;
  remaining_credits: number;
  warnings: string[];
  chat_truncation: ChatTruncation;
  version_id: string;
  version_number: number;
}

export type TestSendBlocksBody = {
  /** the template; or give its key */
  template_id?: string;
  /** the key of the template, in place of its id */
  template_key?: string;
  blocks: Block[];
  /** values that the blocks read */
  data?: Record<string, unknown>;
  /** a missing value is an error instead of a warning; default: the template's, else false */
  strict?: boolean;
  /** BCP 47, for numbers and dates; default: the template's, else en-US */
  locale?: string;
  /** IANA name; default: the template's, else UTC */
  timezone?: string;
} & (
  | { channel_id: string; recipient_email?: null; recipient_chat_id?: null }
  | { channel_id?: null; recipient_email: string; recipient_chat_id?: null }
  | { channel_id?: null; recipient_email?: null; recipient_chat_id: string }
);

export interface TestSendBlocksReply {
  success: true;
  message_id: string;
  channel: string;
  message_ts: string;
  warnings: string[];
  chat_truncation: ChatTruncation;
  credit_log_id: string;
  remaining_credits: number;
}

export interface ValidateTemplateBody {
  blocks: Block[];
  sample_data?: Record<string, unknown>;
}

export interface ValidateTemplateReply {
  valid: boolean;
  /** as they would be stored */
  blocks: Block[];
  /** every path that the blocks read; where one has a problem, those of the others */
  request_format: Record<string, null>;
  output?: {
    blocks: Block[];
    /** fallback for notifications */
    text: string;
    /** actions of interactive messages and the context they need */
    metadata?: Record<string, unknown>;
    chat_truncation: ChatTruncation;
  };
  errors?: Problem[];
  warnings: string[];
}

export interface GetTemplateReply {
  id: string;
  organization_id: string;
  /** names it for programs; the same template has the same key in every environment */
  key: string;
  name: string;
  description: string | null;
  type: string;
  /** name under which its messages are posted */
  user_name: string | null;
  /** icon of its messages, like `:rocket:` */
  icon_emoji: string | null;
  /** notification text; may hold placeholders */
  fallback_text: string | null;
  /** BCP 47, of numbers and dates where a request names none */
  locale: string | null;
  /** IANA name, where a request names none */
  timezone: string | null;
  /** whether a missing value is an error where a request does not say */
  strict: boolean;
  /** whether agents get a tool that sends its live version */
  agent_sends?: boolean;
  lifecycle: 'active' | 'archived';
  /** the live version */
  current_version_id: string | null;
  created_by: string;
  created_at: string;
  updated_at: string;
  archived_at: string | null;
  current_version: TemplateVersion | null;
  /** its draft without the content; null for none. The entity tag says nothing of it */
  draft: TemplateDraftSummary | null;
}

export interface UpdateTemplateBody {
  name?: string;
  /** until a version has been live: then 409 invalid_state */
  key?: string;
  type?: string;
  description?: string | null;
  user_name?: string | null;
  icon_emoji?: string | null;
  fallback_text?: string | null;
  /** BCP 47, used where a request names none */
  locale?: string | null;
  /** IANA name, used where a request names none */
  timezone?: string | null;
  /** a missing value is an error where a request does not say; default false */
  strict?: boolean;
}

export interface ListTemplateActivationsQuery {
  /** items of the page */
  limit?: number;
  /** items to skip */
  offset?: number;
}

export interface ListTemplateActivationsReply {
  data: TemplateActivation[];
  pagination: Pagination;
  total: number;
  limit: number;
  offset: number;
}

export interface SetAgentSendsBody {
  enabled: boolean;
}

export type DiffTemplateBody = {
  /** the version to compare with: what was before; left out, the live version */
  against?: string;
} & (
  | { blocks: Block[]; draft?: never; version_id?: never }
  | { blocks?: never; draft: true; version_id?: never }
  | { blocks?: never; draft?: never; version_id: string }
);

export interface PutTemplateDraftBody {
  /** blocks, which need not compile until the draft is saved */
  blocks: unknown[];
  /** what saving changes of the template besides its blocks; what is left out stays as it is */
  metadata?: {
    name?: string;
    description?: string | null;
    type?: string;
    user_name?: string | null;
    icon_emoji?: string | null;
    fallback_text?: string | null;
    locale?: string | null;
    timezone?: string | null;
    strict?: boolean;
  };
  sample_data?: Record<string, unknown> | null;
  /** the version that the draft was begun from */
  base_version_id?: string | null;
  /** the revision that you have read; null for no draft. If it is another: 409 draft_changed. Left out, nothing is compared */
  expected_revision?: number | null;
}

export interface DeleteTemplateDraftQuery {
  /** the revision that you have read. If it is another: 409 draft_changed */
  expected_revision?: number;
}

export interface SaveTemplateDraftBody {
  /** the revision that you have read. If it is another: 409 draft_changed */
  expected_revision?: number;
  /** the entity that describes its data; left out, that of the version it was begun from */
  entity_id?: string | null;
  /** the key of the entity, in place of its id */
  entity_key?: string;
  note?: string | null;
  /** leaves `strict`, `locale`, `timezone`, `fallback_text`, `user_name` and `icon_emoji` of the template as they are, which messages of the live version are made with */
  keep_settings?: boolean;
}

export interface DuplicateTemplateBody {
  name: string;
  /** names it for programs, the same in every environment; made from the name unless given */
  key?: string;
  /** left out, the template's own */
  description?: string | null;
}

export interface DuplicateTemplateReply {
  id: string;
  organization_id: string;
  /** names it for programs; the same template has the same key in every environment */
  key: string;
  name: string;
  description: string | null;
  type: string;
  /** name under which its messages are posted */
  user_name: string | null;
  /** icon of its messages, like `:rocket:` */
  icon_emoji: string | null;
  /** notification text; may hold placeholders */
  fallback_text: string | null;
  /** BCP 47, of numbers and dates where a request names none */
  locale: string | null;
  /** IANA name, where a request names none */
  timezone: string | null;
  /** whether a missing value is an error where a request does not say */
  strict: boolean;
  /** whether agents get a tool that sends its live version */
  agent_sends?: boolean;
  lifecycle: 'active' | 'archived';
  /** the live version */
  current_version_id: string | null;
  created_by: string;
  created_at: string;
  updated_at: string;
  archived_at: string | null;
  version: TemplateVersion;
}

export type GetTemplateImpactBody = (
  | { version_id: string; blocks?: never }
  | { version_id?: never; blocks: Block[] }
);

export interface GetInputSchemaQuery {
  /** a version of this template; default: the live one */
  version_id?: string;
}

export interface GetInputSchemaReply {
  template_id: string;
  version_id: string;
  fields: InputField[];
  /** JSON Schema 2020-12 of `data`; it follows the conditions of the template */
  json_schema: Record<string, unknown>;
  /** where the sample data or the entity disagree with how the template reads a path */
  warnings: string[];
}

export interface GetInputSchemaAutomationQuery {
  /** a version of this template; default: the live one */
  version_id?: string;
}

export interface GetInputSchemaAutomationReply {
  parameters: AutomationParameter[];
}

export interface ListTemplateProposalsQuery {
  /** items of the page */
  limit?: number;
  /** items to skip */
  offset?: number;
  /** those with this status */
  status?: 'open' | 'accepted' | 'declined' | 'withdrawn' | 'superseded';
}

export interface ListTemplateProposalsReply {
  data: TemplateProposal[];
  pagination: Pagination;
}

export type ProposeTemplateVersionBody = {
  /** with `blocks` */
  sample_data?: Record<string, unknown>;
  /** with `blocks`: the entity that describes its data */
  entity_id?: string | null;
  /** the key of the entity, in place of its id */
  entity_key?: string;
  /** what is new, for whoever decides */
  note?: string | null;
} & (
  | { version_id: string; blocks?: never }
  | { version_id?: never; blocks: Block[] }
);

export interface AcceptTemplateProposalBody {
  /** the version you believe to be live; null for none. If it is not: 409 current_version_changed */
  expected_current_version_id?: string | null;
  note?: string | null;
  /** false: refused with activation_breaks where stored data breaks; true: made live all the same; left out, the policy `guard_activation` of the organization decides */
  accept_breaks?: boolean;
}

export interface DeclineTemplateProposalBody {
  reason: string;
}

export interface ListTemplateVersionsQuery {
  /** items of the page */
  limit?: number;
  /** items to skip */
  offset?: number;
}

export interface ListTemplateVersionsReply {
  data: TemplateVersionSummary[];
  pagination: Pagination;
}

export interface AppendTemplateVersionBody {
  blocks: Block[];
  sample_data?: Record<string, unknown>;
  /** the entity that describes its data */
  entity_id?: string | null;
  /** the key of the entity, in place of its id */
  entity_key?: string;
  note?: string | null;
}

export interface ActivateTemplateVersionBody {
  /** the version you believe to be live; null for none. If it is not: 409 current_version_changed */
  expected_current_version_id?: string | null;
  note?: string | null;
  /** false: refused with activation_breaks where stored data breaks; true: made live all the same; left out, the policy `guard_activation` of the organization decides */
  accept_breaks?: boolean;
}

export interface DiffTemplateVersionsQuery {
  /** the version to compare with: what was before */
  against: string;
}

export type TestSendVersionBody = {
  /** default: the sample data of the version */
  data?: Record<string, unknown>;
  /** a missing value is an error instead of a warning; default: the template's, else false */
  strict?: boolean;
  /** BCP 47, for numbers and dates; default: the template's, else en-US */
  locale?: string;
  /** IANA name; default: the template's, else UTC */
  timezone?: string;
} & (
  | { channel_id: string; recipient_email?: null; recipient_chat_id?: null }
  | { channel_id?: null; recipient_email: string; recipient_chat_id?: null }
  | { channel_id?: null; recipient_email?: null; recipient_chat_id: string }
);

export interface TestSendVersionReply {
  success: true;
  message_id: string;
  channel: string;
  message_ts: string;
  version_id: string;
  version_number: number;
  warnings: string[];
  chat_truncation: ChatTruncation;
  credit_log_id: string;
  remaining_credits: number;
}

export interface GetUsageQuery {
  /** items of the page */
  limit?: number;
  /** items to skip */
  offset?: number;
  /** the first UTC day; default: 30 days before the last */
  from?: string;
  /** the last UTC day, which is part of the report; default: today */
  to?: string;
  group_by?: 'day' | 'operation' | 'template' | 'key';
}

export interface GetUsageReply {
  /** a UTC day */
  from: string;
  /** a UTC day */
  to: string;
  group_by: 'day' | 'operation' | 'template' | 'key';
  total: UsageTotal;
  data: UsageGroup[];
  pagination: Pagination;
}

export interface UpdateProfileBody {
  first_name?: string;
  last_name?: string;
}

export interface ListOwnOrganizationsQuery {
  /** items of the page */
  limit?: number;
  /** items to skip */
  offset?: number;
}

export interface ListOwnOrganizationsReply {
  data: OwnOrganization[];
  pagination: Pagination;
}

/** The codes that each operation can answer. */
export interface OperationCodes {
  'apiKeys.list': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'apiKeys.create': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'apiKeys.revoke': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'auditLog.list': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'auditLog.export': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'auth.validate': 'access_denied' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'chatConnection.get': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'chatConnection.replace': 'access_denied' | 'chat_api_error' | 'chat_not_connected' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_token' | 'maintenance' | 'rate_limited' | 'service_unavailable' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'chatConnection.delete': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'chatConnection.install': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'misconfigured' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'chatConnection.test': 'access_denied' | 'chat_api_error' | 'chat_not_connected' | 'chat_token_decrypt_failed' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'rate_limited' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'chatConnection.testTargets.get': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'chatConnection.testTargets.replace': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'credits.get': 'access_denied' | 'credits_not_found' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'organization_not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'credits.logs.list': 'access_denied' | 'credits_not_found' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'organization_not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'destinations.list': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'destinations.create': 'access_denied' | 'already_exists' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'tier_limit' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'destinations.get': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'destinations.update': 'access_denied' | 'changed_meanwhile' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_token' | 'maintenance' | 'misconfigured' | 'not_found' | 'service_unavailable' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'destinations.delete': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_state' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'destinations.deliveries.list': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'destinations.deliveries.get': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'destinations.deliveries.retry': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_state' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'destinations.signingSecret.get': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'misconfigured' | 'not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'destinations.signingSecret.rotate': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'misconfigured' | 'not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'destinations.test': 'access_denied' | 'delivery_outcome_unknown' | 'destination_address_refused' | 'destination_test_host_not_enabled' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_token' | 'maintenance' | 'misconfigured' | 'not_found' | 'service_unavailable' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'entities.list': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'entities.create': 'access_denied' | 'already_exists' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'tier_limit' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'entities.get': 'access_denied' | 'entity_not_found' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'entities.update': 'access_denied' | 'already_exists' | 'entity_not_found' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'entities.delete': 'access_denied' | 'entity_not_found' | 'insufficient_scope' | 'internal_error' | 'invalid_state' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'entities.fields.create': 'access_denied' | 'already_exists' | 'entity_not_found' | 'field_not_found' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_state' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'tier_limit' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'entities.fields.update': 'access_denied' | 'already_exists' | 'entity_not_found' | 'field_not_found' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_state' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'entities.fields.delete': 'access_denied' | 'entity_not_found' | 'field_not_found' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'eventSubscriptions.list': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'eventSubscriptions.create': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_state' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'eventSubscriptions.get': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'eventSubscriptions.update': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'eventSubscriptions.delete': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'events.list': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'interactions.list': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'invitations.accept': 'access_denied' | 'internal_error' | 'invalid_request' | 'invalid_state' | 'invalid_token' | 'maintenance' | 'misconfigured' | 'not_found' | 'service_unavailable' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'messages.list': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'messages.stream': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'too_many_streams' | 'unauthenticated' | 'validation_failed';
  'messages.get': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'modals.list': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'modals.create': 'access_denied' | 'activation_refused' | 'already_exists' | 'compilation_failed' | 'idempotency_conflict' | 'idempotency_in_progress' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_token' | 'maintenance' | 'rate_limited' | 'service_unavailable' | 'tier_limit' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'modals.get': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'modals.update': 'access_denied' | 'activation_refused' | 'already_exists' | 'compilation_failed' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_state' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'tier_limit' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'modals.delete': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_state' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'modals.preview': 'access_denied' | 'compilation_failed' | 'insufficient_scope' | 'internal_error' | 'invalid_data' | 'invalid_request' | 'invalid_token' | 'maintenance' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed' | 'version_not_found';
  'modals.versions.list': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'modals.versions.append': 'access_denied' | 'activation_refused' | 'compilation_failed' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'tier_limit' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'modals.versions.get': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed' | 'version_not_found';
  'modals.versions.activate': 'access_denied' | 'activation_refused' | 'idempotency_conflict' | 'idempotency_in_progress' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed' | 'version_not_found';
  'organizations.get': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'organization_not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'organizations.update': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_token' | 'maintenance' | 'organization_not_found' | 'service_unavailable' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'organizations.delete': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'organization_not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'organizations.invitations.list': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'organization_not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'organizations.invitations.revoke': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_state' | 'invalid_token' | 'maintenance' | 'not_found' | 'organization_not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'organizations.invite': 'access_denied' | 'already_exists' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_token' | 'invitation_pending' | 'maintenance' | 'organization_not_found' | 'rate_limited' | 'service_unavailable' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'organizations.members.list': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'organization_not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'organizations.members.update': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_token' | 'maintenance' | 'organization_not_found' | 'service_unavailable' | 'unauthenticated' | 'unsupported_media_type' | 'user_not_found' | 'validation_failed';
  'organizations.transferOwnership': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_token' | 'maintenance' | 'organization_not_found' | 'service_unavailable' | 'unauthenticated' | 'unsupported_media_type' | 'user_not_found' | 'validation_failed';
  'proposals.list': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'queues.list': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'queues.create': 'access_denied' | 'already_exists' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_state' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'template_not_found' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'queues.get': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'queues.update': 'access_denied' | 'changed_meanwhile' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_state' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'template_not_found' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'queues.delete': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_state' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'queues.batches.list': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'queues.batches.get': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'queues.batches.retry': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_state' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'queues.events.push': 'access_denied' | 'idempotency_conflict' | 'idempotency_in_progress' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_state' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'tier_limit' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'queues.flush': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'sampleData.list': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'sampleData.create': 'access_denied' | 'entity_not_found' | 'insufficient_scope' | 'internal_error' | 'invalid_data' | 'invalid_request' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'template_not_found' | 'tier_limit' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'sampleData.get': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'sampleData.update': 'access_denied' | 'entity_not_found' | 'insufficient_scope' | 'internal_error' | 'invalid_data' | 'invalid_request' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'template_not_found' | 'tier_limit' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'sampleData.delete': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'scheduledMessages.list': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'scheduledMessages.create': 'access_denied' | 'idempotency_conflict' | 'idempotency_in_progress' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_state' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'template_not_found' | 'tier_limit' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'scheduledMessages.get': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'scheduledMessages.cancel': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_state' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'scim.serviceProviderConfig.get': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'scim.users.list': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'scim.users.get': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'user_not_found' | 'validation_failed';
  'scim.users.replace': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'unsupported_media_type' | 'user_not_found' | 'validation_failed';
  'scim.users.patch': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'unsupported_media_type' | 'user_not_found' | 'validation_failed';
  'scim.users.delete': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'user_not_found' | 'validation_failed';
  'search.entities': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_search_query' | 'invalid_token' | 'maintenance' | 'rate_limited' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'search.templates': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_search_query' | 'invalid_token' | 'maintenance' | 'rate_limited' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'templates.list': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'templates.create': 'access_denied' | 'already_exists' | 'compilation_failed' | 'entity_not_found' | 'idempotency_conflict' | 'idempotency_in_progress' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_token' | 'maintenance' | 'rate_limited' | 'service_unavailable' | 'tier_limit' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'templates.blockSchema.get': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'templates.compile': 'access_denied' | 'compilation_failed' | 'credit_deduction_failed' | 'credits_not_found' | 'idempotency_conflict' | 'idempotency_in_progress' | 'insufficient_credits' | 'insufficient_scope' | 'internal_error' | 'invalid_data' | 'invalid_request' | 'invalid_state' | 'invalid_token' | 'maintenance' | 'overage_limit_exceeded' | 'service_unavailable' | 'template_not_found' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed' | 'version_not_found';
  'templates.preview': 'access_denied' | 'compilation_failed' | 'insufficient_scope' | 'internal_error' | 'invalid_data' | 'invalid_request' | 'invalid_token' | 'maintenance' | 'rate_limited' | 'service_unavailable' | 'template_not_found' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed' | 'version_not_found';
  'templates.promote': 'access_denied' | 'activation_breaks' | 'activation_refused' | 'already_exists' | 'compilation_failed' | 'idempotency_conflict' | 'idempotency_in_progress' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_state' | 'invalid_token' | 'maintenance' | 'promotion_unmapped' | 'rate_limited' | 'service_unavailable' | 'template_not_found' | 'tier_limit' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'templates.send': 'access_denied' | 'chat_api_error' | 'chat_dm_failed' | 'chat_not_connected' | 'chat_token_decrypt_failed' | 'chat_user_not_found' | 'compilation_failed' | 'credit_deduction_failed' | 'credits_not_found' | 'delivery_outcome_unknown' | 'idempotency_conflict' | 'idempotency_in_progress' | 'insufficient_credits' | 'insufficient_scope' | 'internal_error' | 'invalid_data' | 'invalid_destination' | 'invalid_request' | 'invalid_state' | 'invalid_token' | 'maintenance' | 'no_blocks_to_send' | 'overage_limit_exceeded' | 'rate_limited' | 'service_unavailable' | 'template_not_found' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed' | 'version_not_found';
  'templates.sendBulk': 'access_denied' | 'chat_not_connected' | 'chat_token_decrypt_failed' | 'compilation_failed' | 'credit_deduction_failed' | 'credits_not_found' | 'delivery_outcome_unknown' | 'idempotency_conflict' | 'idempotency_in_progress' | 'insufficient_credits' | 'insufficient_scope' | 'internal_error' | 'invalid_data' | 'invalid_request' | 'invalid_state' | 'invalid_token' | 'maintenance' | 'no_blocks_to_send' | 'overage_limit_exceeded' | 'service_unavailable' | 'template_not_found' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed' | 'version_not_found';
  'templates.testSend': 'access_denied' | 'chat_api_error' | 'chat_dm_failed' | 'chat_not_connected' | 'chat_token_decrypt_failed' | 'chat_user_not_found' | 'compilation_failed' | 'credit_deduction_failed' | 'credits_not_found' | 'delivery_outcome_unknown' | 'idempotency_conflict' | 'idempotency_in_progress' | 'insufficient_credits' | 'insufficient_scope' | 'internal_error' | 'invalid_data' | 'invalid_destination' | 'invalid_request' | 'invalid_state' | 'invalid_token' | 'maintenance' | 'no_blocks_to_send' | 'overage_limit_exceeded' | 'rate_limited' | 'service_unavailable' | 'template_not_found' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed' | 'version_not_found';
  'templates.validate': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_token' | 'maintenance' | 'rate_limited' | 'service_unavailable' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'templates.get': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'template_not_found' | 'unauthenticated' | 'validation_failed';
  'templates.update': 'access_denied' | 'activation_refused' | 'already_exists' | 'changed_meanwhile' | 'compilation_failed' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_state' | 'invalid_token' | 'maintenance' | 'rate_limited' | 'service_unavailable' | 'template_not_found' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'templates.delete': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_state' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'template_not_found' | 'unauthenticated' | 'validation_failed';
  'templates.activations.list': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'template_not_found' | 'unauthenticated' | 'validation_failed';
  'templates.agentSends.set': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'template_not_found' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'templates.archive': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'template_not_found' | 'unauthenticated' | 'validation_failed';
  'templates.diff': 'access_denied' | 'compilation_failed' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_token' | 'maintenance' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'template_not_found' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed' | 'version_not_found';
  'templates.draft.get': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'template_not_found' | 'unauthenticated' | 'validation_failed';
  'templates.draft.put': 'access_denied' | 'draft_changed' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'template_not_found' | 'tier_limit' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed' | 'version_not_found';
  'templates.draft.delete': 'access_denied' | 'draft_changed' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'template_not_found' | 'unauthenticated' | 'validation_failed';
  'templates.draft.save': 'access_denied' | 'activation_refused' | 'compilation_failed' | 'draft_changed' | 'entity_not_found' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_token' | 'maintenance' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'template_not_found' | 'tier_limit' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'templates.duplicate': 'access_denied' | 'already_exists' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_token' | 'maintenance' | 'rate_limited' | 'service_unavailable' | 'template_not_found' | 'tier_limit' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'templates.impact.get': 'access_denied' | 'compilation_failed' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_token' | 'maintenance' | 'rate_limited' | 'service_unavailable' | 'template_not_found' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed' | 'version_not_found';
  'templates.inputSchema.get': 'access_denied' | 'compilation_failed' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'template_not_found' | 'unauthenticated' | 'validation_failed' | 'version_not_found';
  'templates.inputSchema.automation.get': 'access_denied' | 'compilation_failed' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'template_not_found' | 'unauthenticated' | 'validation_failed' | 'version_not_found';
  'templates.proposals.list': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'template_not_found' | 'unauthenticated' | 'validation_failed';
  'templates.proposals.propose': 'access_denied' | 'already_exists' | 'compilation_failed' | 'entity_not_found' | 'idempotency_conflict' | 'idempotency_in_progress' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_state' | 'invalid_token' | 'maintenance' | 'rate_limited' | 'service_unavailable' | 'template_not_found' | 'tier_limit' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed' | 'version_not_found';
  'templates.proposals.get': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'template_not_found' | 'unauthenticated' | 'validation_failed';
  'templates.proposals.accept': 'access_denied' | 'activation_breaks' | 'activation_refused' | 'compilation_failed' | 'current_version_changed' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_state' | 'invalid_token' | 'maintenance' | 'not_found' | 'rate_limited' | 'service_unavailable' | 'template_not_found' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'templates.proposals.decline': 'access_denied' | 'activation_refused' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_state' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'template_not_found' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'templates.proposals.withdraw': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_state' | 'invalid_token' | 'maintenance' | 'not_found' | 'service_unavailable' | 'template_not_found' | 'unauthenticated' | 'validation_failed';
  'templates.unarchive': 'access_denied' | 'activation_refused' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'template_not_found' | 'unauthenticated' | 'validation_failed';
  'templates.use.get': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'template_not_found' | 'unauthenticated' | 'validation_failed';
  'templates.versions.list': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'template_not_found' | 'unauthenticated' | 'validation_failed';
  'templates.versions.append': 'access_denied' | 'compilation_failed' | 'entity_not_found' | 'idempotency_conflict' | 'idempotency_in_progress' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_token' | 'maintenance' | 'rate_limited' | 'service_unavailable' | 'template_not_found' | 'tier_limit' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'templates.versions.get': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'template_not_found' | 'unauthenticated' | 'validation_failed' | 'version_not_found';
  'templates.versions.activate': 'access_denied' | 'activation_breaks' | 'activation_refused' | 'compilation_failed' | 'current_version_changed' | 'insufficient_scope' | 'internal_error' | 'invalid_request' | 'invalid_state' | 'invalid_token' | 'maintenance' | 'rate_limited' | 'service_unavailable' | 'template_not_found' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed' | 'version_not_found';
  'templates.versions.diff': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'template_not_found' | 'unauthenticated' | 'validation_failed' | 'version_not_found';
  'templates.versions.testSend': 'access_denied' | 'chat_api_error' | 'chat_dm_failed' | 'chat_not_connected' | 'chat_token_decrypt_failed' | 'chat_user_not_found' | 'compilation_failed' | 'credit_deduction_failed' | 'credits_not_found' | 'delivery_outcome_unknown' | 'idempotency_conflict' | 'idempotency_in_progress' | 'insufficient_credits' | 'insufficient_scope' | 'internal_error' | 'invalid_data' | 'invalid_destination' | 'invalid_request' | 'invalid_state' | 'invalid_token' | 'maintenance' | 'no_blocks_to_send' | 'overage_limit_exceeded' | 'rate_limited' | 'service_unavailable' | 'template_not_found' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed' | 'version_not_found';
  'usage.get': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'usage.limits.get': 'access_denied' | 'credits_not_found' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'users.profile.get': 'access_denied' | 'internal_error' | 'invalid_token' | 'maintenance' | 'misconfigured' | 'profile_not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'users.profile.update': 'access_denied' | 'internal_error' | 'invalid_request' | 'invalid_token' | 'maintenance' | 'misconfigured' | 'profile_not_found' | 'service_unavailable' | 'unauthenticated' | 'unsupported_media_type' | 'validation_failed';
  'users.profile.organizations.list': 'access_denied' | 'internal_error' | 'invalid_token' | 'maintenance' | 'misconfigured' | 'profile_not_found' | 'service_unavailable' | 'unauthenticated' | 'validation_failed';
  'users.get': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'user_not_found' | 'validation_failed';
  'users.delete': 'access_denied' | 'insufficient_scope' | 'internal_error' | 'invalid_token' | 'maintenance' | 'service_unavailable' | 'unauthenticated' | 'user_not_found' | 'validation_failed';
}
