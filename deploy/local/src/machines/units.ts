import { type ServiceName, serviceNames } from '@stanza/contracts';

/** Where the program is on each machine: the folder /app of the image, or a built checkout. */
const home = '/opt/stanza';

const confined = `NoNewPrivileges=true
ProtectSystem=strict
ProtectHome=true
PrivateTmp=true
PrivateDevices=true
ProtectKernelTunables=true
ProtectControlGroups=true
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
CapabilityBoundingSet=
LimitNOFILE=65536`;

const program = (words: string): string => `/usr/bin/node ${home}/deploy/image/dist/run.js ${words}`;

/** One service, as in stanza@delivery.service. It is ready once the migrations of its release are applied. */
const serviceUnit = `[Unit]
Description=Stanza: %i
Documentation=file:${home}/docs/vms.md
After=network-online.target stanza-nats.service
Wants=network-online.target
PartOf=stanza.target
StartLimitIntervalSec=0

[Service]
User=stanza
EnvironmentFile=/etc/stanza/%i.env
WorkingDirectory=${home}
ExecStart=${program('%i')}
Restart=always
RestartSec=1
# The gateway leaves the proxy (1 s), then work in flight ends (25 s at most).
TimeoutStopSec=40
MemoryMax=1G
${confined}

[Install]
WantedBy=stanza.target
`;

const natsUnit = `[Unit]
Description=NATS for Stanza
After=network-online.target
Wants=network-online.target
PartOf=stanza.target
StartLimitIntervalSec=0

[Service]
User=stanza
RuntimeDirectory=stanza-nats
ExecStart=/usr/local/bin/nats-server --config /etc/stanza/nats/nats.conf
ExecReload=/bin/kill -HUP $MAINPID
# Lame duck: clients go elsewhere before it ends.
KillSignal=SIGUSR2
TimeoutStopSec=60
Restart=always
RestartSec=1
MemoryMax=1G
${confined}

[Install]
WantedBy=stanza.target
`;

const migrateUnit = `[Unit]
Description=The migrations of Stanza, once a release on one machine
After=network-online.target

[Service]
Type=oneshot
User=stanza
EnvironmentFile=/etc/stanza/migrate.env
WorkingDirectory=${home}
ExecStart=${program('migrate')}
TimeoutStartSec=1h
${confined}
`;

/** Kills what hangs, as the probes of Kubernetes do: four looks without an answer are 20 seconds. */
const watchScript = (host: string, ports: Readonly<Record<string, number>>): string => `#!/bin/bash
# Ends a process of Stanza that has not answered /livez for 20 seconds; systemd starts it again.
declare -A ports=(${Object.entries(ports)
  .map(([name, port]) => `[${name}]=${port}`)
  .join(' ')}) missed=()
while sleep 5; do
  for name in "\${!ports[@]}"; do
    systemctl is-active --quiet "stanza@$name" || { missed[$name]=0; continue; }
    if curl --silent --fail --output /dev/null --max-time 5 "http://${host}:\${ports[$name]}/livez"; then
      missed[$name]=0
    elif ((++missed[$name] >= 4)); then
      echo "$name hangs, and is killed"
      systemctl kill --signal=KILL "stanza@$name"
      missed[$name]=0
    fi
  done
done
`;

const watchUnit = `[Unit]
Description=Ends processes of Stanza that hang
PartOf=stanza.target

[Service]
ExecStart=/bin/bash /etc/stanza/watch.sh
Restart=always

[Install]
WantedBy=stanza.target
`;

const target = (services: readonly ServiceName[]): string => `[Unit]
Description=Stanza
Wants=stanza-nats.service stanza-watch.service ${services.map((it) => `stanza@${it}.service`).join(' ')}

[Install]
WantedBy=multi-user.target
`;

/** The units of a machine and the script of the one that watches the others, by their places. */
export const unitFiles = (
  host: string,
  ports: Readonly<Record<ServiceName, number>>,
): Record<string, string> => {
  return {
    'systemd/system/stanza.target': target(serviceNames),
    'systemd/system/stanza@.service': serviceUnit,
    'systemd/system/stanza-nats.service': natsUnit,
    'systemd/system/stanza-migrate.service': migrateUnit,
    'systemd/system/stanza-watch.service': watchUnit,
    'stanza/watch.sh': watchScript(host, ports),
  };
};
