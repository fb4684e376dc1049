import { maxPayload } from '../nats/config.ts';

/** The configuration of one NATS server of a cluster, one server a machine. It includes `users.conf` from its folder. */
export const natsNodeConfig = (
  name: string,
  own: string,
  machines: readonly string[],
  password: string,
): string => {
  const routes = machines.map((it) => `"nats://route:${password}@${it}:6222"`).join(', ');
  return `server_name: "${name}"
listen: "${own}:4222"
http: "${own}:8222"
pid_file: /run/stanza-nats/nats.pid
max_payload: ${maxPayload}
# A process that hangs gets no calls any more after six seconds; its replica gets them.
ping_interval: "2s"
ping_max: 2
# Clients connect to another server at once; calls to the chat platform that are in flight end within the grace period.
lame_duck_grace_period: "20s"
lame_duck_duration: "30s"

cluster {
  name: stanza
  listen: "${own}:6222"
  authorization {
    user: route
    password: "${password}"
    timeout: 3
  }
  # A node that hangs is left after six seconds.
  ping_interval: "2s"
  ping_max: 2
  routes: [${routes}]
}

include users.conf
`;
};
