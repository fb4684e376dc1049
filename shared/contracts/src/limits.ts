/** Limits of the API that are no limits of the chat platform; those live with the template engine. */
export const limits = {
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
  /** Characters of the title of a modal, and of its labels. */
  modalLabel: 24,
  /** Blocks of a modal or of a step of one as given. */
  modalBlocks: 100,
  /** Views of a modal, one after the other. */
  modalSteps: 10,
  /** Placeholders of a modal that read another path than their name says. */
  modalPlaceholders: 200,
  /** Bytes of the content of one page of versions of a modal, well under what one call between services takes. */
  modalVersionsPage: 4 * 1024 * 1024,
  /** Characters of an `Idempotency-Key`. */
  idempotencyKey: 255,
  /** CIDRs of one API key. */
  keyAddresses: 20,
  /** Characters of an `X-Request-Id`. */
  requestId: 128,
  /** Authoring requests a minute of one organization. */
  authoringRate: 120,
  /** Events of one push. */
  pushEvents: 100,
  /** Bytes of one event as JSON. */
  eventBytes: 64 * 1024,
  /** Characters of an event's own `id`. */
  eventKey: 255,
  /** Events after which a batch is closed whatever its policy says. */
  batchEvents: 1_000,
  /** Bytes of events as JSON after which a batch is closed; a whole batch fits one call between services. */
  batchBytes: 4 * 1024 * 1024,
  /** Seconds that a queue may wait. */
  windowSeconds: { min: 5, max: 86_400 },
  /** Destinations of one bulk send. */
  bulkDestinations: 100,
  /** Scheduled messages of an environment that have runs to come. */
  activeSchedules: 10_000,
  /** Characters of a cron. */
  cron: 100,
  /** Milliseconds for one post to the chat platform. */
  chatPostMs: 10_000,
  /** Characters of a destination's address. */
  destinationUrl: 4096,
  /** Headers of a destination. */
  headers: 50,
  /** Characters of a header's name. */
  headerName: 256,
  /** Characters of a header's value. */
  headerValue: 4096,
  /** Milliseconds between two attempts at a delivery. */
  retryDelayMs: 2_147_483_647,
} as const;
