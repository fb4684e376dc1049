/** SQL of the time between two updates of a live batch, in its policy. */
export const liveInterval = "(policy ->> 'live_interval_seconds')::integer * interval '1 second'";

/** SQL of the condition that the message of a batch is updated as events come, in its policy. */
export const isLive = "coalesce((policy ->> 'live')::boolean, false)";
