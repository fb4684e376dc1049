/** A broker: its address without a user, and the user where all processes share one. */
export interface NatsAddress {
  url: string;
  user?: string;
  password?: string;
}

/** Splits user and password from an address such as `nats://user:password@host:4222`. */
export const parseNatsUrl = (text: string): NatsAddress => {
  const url = new URL(text.includes('://') ? text : `nats://${text}`);
  const plain = `${url.protocol}//${url.host}`;
  return url.username === ''
    ? { url: plain }
    : { url: plain, user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
};

/** Joins address and user, for tools that take one address. */
export const natsUrlFor = ({ url }: NatsAddress, user: string, password: string): string =>
  url.replace('://', `://${encodeURIComponent(user)}:${encodeURIComponent(password)}@`);
