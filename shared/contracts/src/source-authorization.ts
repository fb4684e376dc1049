/** Header with the key of the environment that an operation reads from, where a key reaches one environment alone. */
export const sourceAuthorizationHeader = 'X-Source-Authorization';
