/** Calls to the platform that a message lists between its tries: an outage of a day would make thousands. */
export const maxAttempts = 50;
