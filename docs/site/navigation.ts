/** A page of the documentation, as its readers find it. */
export interface Entry {
  /** Its path in the checkout. */
  readonly file: string;
  readonly title: string;
  /** What it is for. */
  readonly says: string;
  /** Whether the other pages of its folder stand below it. */
  readonly folder?: boolean;
  /** Whether the build makes it, so that a checkout does not have it. */
  readonly built?: boolean;
}

const entry = (file: string, title: string, says: string, more: Partial<Entry> = {}): Entry => ({
  file,
  title,
  says,
  ...more,
});

/** What a page is read for, in the order of a reader's way. */
export const kinds = ['start', 'tasks', 'reference', 'background'] as const;

/** One of them. */
export type Kind = (typeof kinds)[number];

/** The headings of the kinds. */
export const kindTitles: Readonly<Record<Kind, string>> = {
  start: 'Start',
  tasks: 'How to',
  reference: 'Reference',
  background: 'Background',
};

/** Someone who reads the documentation, with the pages written for them. */
export interface Reader extends Readonly<Record<Kind, readonly Entry[]>> {
  readonly title: string;
  readonly who: string;
}

const built = { built: true };
const folder = { folder: true };

/** Every page of the documentation once, by its reader. The contents, the site's menus and their test read it. */
export const readers: readonly Reader[] = [
  {
    title: 'Integrating',
    who: 'You send messages from a program.',
    start: [
      entry('README.md', 'The first message', 'start Stanza, send a message'),
      entry('docs/questions.md', 'Questions', 'frequent questions, with links to the answers'),
      entry(
        'docs/integrating.md',
        'Integrating',
        'from a key to messages that arrive once: errors, retries, limits, receiving',
      ),
    ],
    tasks: [
      entry(
        'docs/sdk.md',
        'The SDK',
        'the API from TypeScript: typed, with safe retries and webhook verification',
      ),
      entry(
        'shared/sdk-python/README.md',
        'The SDK for Python',
        'the same from Python, with only the standard library',
      ),
      entry('docs/connections.md', 'Connections', 'workspaces, tokens, the app'),
      entry(
        'docs/living-messages.md',
        'Living messages',
        'update, delete, reply; one message for each key of yours; revisions',
      ),
      entry('docs/interactions.md', 'Interactions', 'buttons, and clicks that update a message'),
      entry('docs/modals.md', 'Modals', 'forms and their submissions'),
      entry('docs/queues.md', 'Queues', 'events in, digests out'),
      entry('docs/schedules.md', 'Schedules', 'one-time and recurring messages'),
      entry('docs/destinations.md', 'Destinations', 'signed payloads to your own services'),
      entry('docs/sessions.md', 'Sessions', 'session tokens from your identity provider instead of keys'),
      entry('docs/agents.md', 'Agents', 'tools for agents that write templates, and their permissions'),
      entry('deploy/sandbox/README.md', 'The sandbox', 'a chat platform for trials and tests'),
    ],
    reference: [
      entry('docs/api/index.md', 'The API', 'every operation: parameters, responses, errors', {
        ...built,
        ...folder,
      }),
      entry('docs/sdk-reference.md', 'Methods of the SDK', 'every method, with an example', built),
      entry('shared/sdk/README.md', 'The package of the SDK', 'package contents in brief'),
      entry('docs/errors.md', 'Error codes', 'every code: its cause, an example, the remedy'),
      entry('docs/events.md', 'Events', 'notifications from Stanza to your own services'),
    ],
    background: [
      entry('docs/idempotency.md', 'Idempotency', 'one header makes retries safe'),
      entry('docs/credits.md', 'Credits', 'spending, and the limits of each tier'),
    ],
  },
  {
    title: 'Writing templates',
    who: 'You write the messages.',
    start: [
      entry('docs/gallery.md', 'The gallery', 'forty templates to begin with'),
      entry('docs/authoring.md', 'Templates for programs', 'keys, use, impact, drafts, promotion'),
    ],
    tasks: [
      entry('docs/recipes.md', 'Recipes', 'common tasks with values: each with template, data and picture'),
      entry('docs/partials.md', 'Partials', 'blocks shared by templates, and the rollout of new versions'),
      entry(
        'docs/languages.md',
        'Languages',
        'one template in many languages, plurals, the locale of the recipient',
      ),
    ],
    reference: [
      entry('docs/templates.md', 'The template language', 'blocks, placeholders, filters, directives'),
      entry(
        'docs/cli.md',
        'The command',
        'templates and everything else as files: pull, plan, push, export, import; tests without a server; pipelines, profiles, types',
      ),
    ],
    background: [
      entry(
        'docs/platform.md',
        'The tables of the chat platform',
        'newer features, addresses, disputed figures, updating the tables',
      ),
    ],
  },
  {
    title: 'Using the console',
    who: 'You work in the browser.',
    start: [entry('docs/console.md', 'The console', 'screens, sign-in, set-up, session security')],
    tasks: [entry('docs/people.md', 'People', 'invitations, roles, keys, the audit log')],
    reference: [
      entry(
        'docs/console-states.md',
        'States of the console',
        'each screen while it loads, empty, with an error, without permission, offline',
      ),
    ],
    background: [],
  },
  {
    title: 'Operating',
    who: 'You run Stanza for others.',
    start: [
      entry('docs/install.md', 'Installing', 'in containers, in a cluster, with your own Postgres and NATS'),
    ],
    tasks: [
      entry(
        'docs/kubernetes.md',
        'Clusters',
        'Kubernetes, with Helm or kustomize: first message, sizing, scaling, upgrades, NATS, Postgres',
      ),
      entry(
        'docs/vms.md',
        'Three machines',
        'without Kubernetes: systemd, HAProxy, NATS of three, Postgres with a standby',
      ),
      entry('docs/operating.md', 'Operating', 'limits, maintenance, retention'),
      entry('docs/upgrading.md', 'Upgrading', 'rolling upgrades and rollback'),
      entry(
        'docs/monitoring.md',
        'Monitoring',
        'alerts, exporters, NATS, clocks, an example for Alertmanager',
      ),
      entry(
        'docs/postgres.md',
        'Postgres with a standby',
        'data loss by topology, steps after a failover, fencing, pgbouncer, the archive',
      ),
      entry('docs/backup.md', 'Backing up', 'what to back up, restoring, effects of a restore'),
      entry('docs/disaster-recovery.md', 'Disaster recovery', 'the effect of each loss, and the recovery'),
      entry('docs/rotating-keys.md', 'Rotating keys', 'every secret, and how to change it without downtime'),
      entry('docs/runbooks/README.md', 'Runbooks', 'the meaning of each alert, and how to respond', folder),
    ],
    reference: [
      entry('docs/configuration.md', 'Settings', 'every setting of every service'),
      entry('docs/metrics.md', 'Metrics', 'every metric, its labels and their limits'),
      entry('docs/logs.md', 'The log', 'its fields, its messages, and what it never contains'),
      entry('CHANGELOG.md', 'Changelog', 'what changed for users and operators'),
      entry('SECURITY.md', 'Reporting a vulnerability', 'where to report, and the next steps'),
    ],
    background: [
      entry('docs/threat-model.md', 'Threat model', 'threats, controls, and the test of each control'),
      entry('docs/scaling.md', 'Scaling', 'from one machine to cells: bottlenecks and capacity arithmetic'),
      entry('docs/fair-shares.md', 'Fair shares', 'resources that organizations share, time limits, metrics'),
      entry('docs/chaos.md', 'Chaos', 'injected faults and results'),
      entry('tests/bench/results.md', 'Measurements', 'performance and its limits'),
    ],
  },
  {
    title: 'Contributing',
    who: 'You change Stanza itself.',
    start: [entry('CONTRIBUTING.md', 'Contributing', 'set-up, tests, glossary, adding an operation')],
    tasks: [
      entry('docs/developing.md', 'Developing', 'running the stack from source: restarts, logs, debuggers'),
      entry('docs/testing.md', 'Testing', 'test levels, tests in containers, settings'),
    ],
    reference: [
      entry('docs/dependencies.md', 'Dependencies', 'each package, its licence and purpose'),
      entry('CODE_OF_CONDUCT.md', 'Code of conduct', 'how we treat each other'),
    ],
    background: [
      entry('docs/architecture.md', 'Architecture', 'services, pipeline, outbox, credits, messages'),
      entry('docs/decisions/README.md', 'Decisions', 'design decisions and their costs', folder),
    ],
  },
];

/** The entries of a reader, in order. */
export const entriesOf = (reader: Reader): readonly Entry[] => kinds.flatMap((kind) => reader[kind]);

/** Every entry, in order. */
export const entries: readonly Entry[] = readers.flatMap(entriesOf);
