import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { root } from './markdown.ts';

/** What each package is for; one without a line here has no business in the tree. */
const reasons: Readonly<Record<string, string>> = {
  '@nats-io/nats-core': 'types of the NATS client',
  '@nats-io/transport-node': 'the NATS client',
  '@opentelemetry/api': 'spans, if tracing is on',
  '@opentelemetry/exporter-trace-otlp-http': 'sends spans',
  '@opentelemetry/resources': 'names the service in spans',
  '@opentelemetry/sdk-trace-node': 'collects spans',
  '@slack/web-api': 'calls to the chat platform',
  commander: 'parses command lines',
  croner: 'computes the next run of a cron expression, with time zones',
  express: 'HTTP routes',
  'fastest-levenshtein': '“did you mean” in messages about unknown names',
  'ipaddr.js': 'recognizes public addresses',
  jose: 'verifies session tokens',
  '@modelcontextprotocol/server': 'implements the agent protocol at `/mcp`',
  'openid-client': 'signs people in to the console at the identity provider',
  'lru-cache': 'bounded caches',
  marked: 'pages of the documentation where its site is not built',
  nodemailer: 'invitation mails',
  opossum: 'circuit breakers',
  pg: 'the Postgres client',
  picocolors: 'colours on the command line',
  piscina: 'engine threads',
  pino: 'the log',
  'prom-client': 'metrics',
  standardwebhooks: 'signs deliveries to destinations',
  'swagger-ui-dist': 'the page that shows the API and tries it',
  typeorm: 'entities, migrations, the pool',
  undici: 'requests to destinations, with a custom connect function',
  uuid: 'time-sorted ids',
  zod: 'all schemas',
};

const manifest = z.object({ name: z.string(), dependencies: z.record(z.string(), z.string()).default({}) });
const lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().default(false),
      link: z.boolean().default(false),
    }),
  ),
});

const json = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));

/** A package that a running Stanza loads because a workspace asks for it. */
export interface Dependency {
  name: string;
  version: string;
  licence: string;
  reason: string;
  users: string[];
}

const installed = () => lock.parse(json('package-lock.json')).packages;

/** Every direct dependency of the workspaces, without those of development. */
export const dependencies = (): Dependency[] => {
  const locked = installed();
  const found = new Map<string, Dependency>();
  for (const file of globSync('{services,shared,deploy}/*/package.json', { cwd: root }).sort()) {
    const workspace = dirname(file);
    const names = Object.keys(manifest.parse(json(file)).dependencies);
    for (const name of names.filter((it) => !it.startsWith('@stanza/'))) {
      const entry = locked[`${workspace}/node_modules/${name}`] ?? locked[`node_modules/${name}`];
      const { version = '', license: licence = '' } = entry ?? {};
      const users = [...(found.get(name)?.users ?? []), workspace];
      found.set(name, { name, version, licence, reason: reasons[name] ?? '', users });
    }
  }
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
};

/** How many packages of each licence are in the tree that runs. */
export const licences = (): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const [path, { license, dev, link }] of Object.entries(installed())) {
    if (dev || link || !path.includes('node_modules/')) continue;
    const name = license ?? 'none given';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return new Map([...counts].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1)));
};

/** The page of the dependencies, in Markdown. */
export const dependenciesPage = (): string => {
  const rows = dependencies().map(
    (it) => `| \`${it.name}\` | ${it.version} | ${it.licence} | ${it.reason} | ${it.users.join(', ')} |`,
  );
  const counted = [...licences()].map(([licence, count]) => `| ${licence} | ${count} |`);
  return `# Dependencies

A running Stanza loads these packages in addition to Node, Postgres and NATS. Versions are exact, \`package-lock.json\` contains the hash of every package, and
\`npm ci\` rejects others. \`npm audit --omit=dev\` queries the registry for known vulnerabilities. CI runs it, and reports if the registry does not respond.
Packages that process untrusted input were reviewed on 2026-11-21. The version of nodemailer has fixes for the vulnerabilities in address and header parsing (up to 9.0.x). The version of undici
has fixes for those in decompression and websockets of early 2026.

This page is generated from the manifests and the lock file by \`npm run docs\`.

| package | version | licence | purpose | used by |
|---|---|---|---|---|
${rows.join('\n')}

## Licences of all runtime packages

| licence | packages |
|---|---|
${counted.join('\n')}
`;
};
