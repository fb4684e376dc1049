/** Limits of the API; limits of the chat platform are in the template engine. */
export const limits = {
  /** Characters of a key. */
  key: 100,
  /** Pieces of stored data of one kind that an impact looks at, and their bytes together. */
  impactItems: 50,
  impactBytes: 2_000_000,
  /** Characters of a name. */
  name: 255,
  /** Characters of a description. */
  description: 2000,
  /** Characters of an e-mail address, after RFC 5321. */
  email: 254,
  /** Characters of a note on a version or an activation. */
  note: 2000,
  /** Blocks of a template as given, before lists expand; generous, since directives may hide most of them. */
  templateBlocks: 200,
  /** Entries in the list of blocks of a draft, which may be invalid but not endless. */
  draftBlocks: 1_000,
  /** Templates of one roll-out of a partial, and of one look at what it would do. */
  rolledOutTemplates: 50,
  impactedTemplates: 10,
  /** Templates of one promotion, their sample data, and bytes of what it copies. */
  promotedTemplates: 100,
  promotedSamples: 1_000,
  promotedBytes: 16 * 1024 * 1024,
  /** Levels of the fields of an entity. */
  fieldDepth: 8,
  /** Fields of an entity, on all levels. */
  entityFields: 500,
  /** Items of a page. */
  page: 100,
  /** Items of a page when the caller names no limit. */
  defaultPage: 20,
  /** Highest offset into a list. */
  offset: 1_000_000_000,
  /** Nesting of a request body. */
  bodyDepth: 64,
  /** Bytes of a modal's request body. */
  modalBody: 256 * 1024,
  /** Bytes of what the chat platform posts: a view of up to 250 KB, each byte of which a form may write as several. */
  interactionBody: 2 * 1024 * 1024,
  /** Bytes of the content of a page, well below the limit of a call between services. */
  pageBytes: 4 * 1024 * 1024,
  /** Characters of the title of a modal, and of its labels. */
  modalLabel: 24,
  /** Blocks of a modal or of a step of one as given. */
  modalBlocks: 100,
  /** Views of a modal, one after the other. */
  modalSteps: 10,
  /** Placeholders of a modal that are mapped to another path. */
  modalPlaceholders: 200,
  /** Characters of an `Idempotency-Key`. */
  idempotencyKey: 255,
  /** Characters of the key of a message. */
  messageKey: 200,
  /** CIDRs of one API key. */
  keyAddresses: 20,
  /** Characters of the id that an identity provider gives to a person. */
  externalId: 255,
  /** Characters of an `X-Request-Id`. */
  requestId: 128,
  /** Streams that an organization has open at a gateway. */
  streams: 20,
  /** Authoring requests a minute of one organization. */
  authoringRate: 120,
  /** Events of one push. */
  pushEvents: 100,
  /** Bytes of one event as JSON. */
  eventBytes: 64 * 1024,
  /** Characters of an event's own `id`. */
  eventKey: 255,
  /** Events after which a batch is closed, whatever its policy. */
  batchEvents: 1_000,
  /** Bytes of events as JSON after which a batch is closed; a whole batch fits one call between services. */
  batchBytes: 4 * 1024 * 1024,
  /** Seconds that a queue may wait. */
  windowSeconds: { min: 5, max: 86_400 },
  /** Seconds between two updates of a live digest. */
  liveIntervalSeconds: { min: 5, default: 15, max: 600 },
  /** Destinations of one bulk send. */
  bulkDestinations: 100,
  /** Targets of test sends of an environment. */
  testTargets: 100,
  /** Characters of a cron. */
  cron: 100,
  /** Milliseconds for one post to the chat platform. */
  chatPostMs: 10_000,
  /** Subscriptions to events of an environment. */
  eventSubscriptions: 50,
  /** Characters of a destination's address. */
  destinationUrl: 4096,
  /** Headers of a destination. */
  headers: 50,
  /** Characters of a header's name. */
  headerName: 256,
  /** Characters of a header's value. */
  headerValue: 4096,
  /** Attempts that are shown of a delivery: a page of them, each with what was answered, fits one call. */
  deliveryAttempts: 20,
  /** Milliseconds between two attempts at a delivery. */
  retryDelayMs: 2_147_483_647,
} as const;
