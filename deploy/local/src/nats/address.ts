/** A broker: its addresses without a user, separated by commas, and the user where all processes share one. */
export interface NatsAddress {
  url: string;
  user?: string;
  password?: string;
}

/** Splits user and password from addresses such as `nats://user:password@host:4222`; the first has those of all. */
export const parseNatsUrl = (text: string): NatsAddress => {
  const servers = text.split(',').map((it) => new URL(it.includes('://') ? it : `nats://${it}`));
  const url = servers.map(({ protocol, host }) => `${protocol}//${host}`).join(',');
  const { username = '', password = '' } = servers[0] ?? {};
  return username === ''
    ? { url }
    : { url, user: decodeURIComponent(username), password: decodeURIComponent(password) };
};

/** Joins addresses and user, for tools that take both as one. */
export const natsUrlFor = ({ url }: NatsAddress, user: string, password: string): string =>
  url.replaceAll('://', `://${encodeURIComponent(user)}:${encodeURIComponent(password)}@`);
