/** The origin of a destination's address: scheme, host and port. */
const originOf = (url: string): string => URL.parse(url)?.origin ?? url;

/** True when two addresses are of different servers. */
export const isOtherOrigin = (before: string, after: string): boolean => originOf(before) !== originOf(after);

/** Host and port of an address, without path and query, which may contain a token. */
export const hostOf = (url: string): string => URL.parse(url)?.host ?? 'unreadable';
