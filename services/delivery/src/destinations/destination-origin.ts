/** The origin of a destination's address: scheme, host and port. */
const originOf = (url: string): string => URL.parse(url)?.origin ?? url;

/** True when a request to the one address reaches another server than a request to the other. */
export const isOtherOrigin = (before: string, after: string): boolean => originOf(before) !== originOf(after);

/** Host and port of an address, without the path and the query, which may carry a token. */
export const hostOf = (url: string): string => URL.parse(url)?.host ?? 'unreadable';
