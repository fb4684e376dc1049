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
      entry('README.md', 'The first message', 'start it, send the first message'),
      entry('docs/questions.md', 'Questions', 'what people ask first, with the place that answers it'),
      entry(
        'docs/integrating.md',
        'Integrating',
        'from a key to messages that arrive once: errors, repeats, limits, receiving',
      ),
    ],
    tasks: [
      entry('docs/sdk.md', 'The SDK', 'the API from TypeScript: typed, repeated safely, webhooks verified'),
      entry(
        'shared/sdk-python/README.md',
        'The SDK for Python',
        'the same from Python, with the standard library alone',
      ),
      entry('docs/connections.md', 'Connections', 'workspaces, tokens, the app'),
      entry(
        'docs/living-messages.md',
        'Living messages',
        'update, delete, reply; one message for a key of yours; its revisions',
      ),
      entry('docs/interactions.md', 'Interactions', 'buttons, and updates of a message by a click'),
      entry('docs/modals.md', 'Modals', 'forms, and what is submitted in them'),
      entry('docs/queues.md', 'Queues', 'events in, digests out'),
      entry('docs/schedules.md', 'Schedules', 'at a time, or again and again'),
      entry('docs/destinations.md', 'Destinations', 'payloads to services of your own, signed'),
      entry('docs/sessions.md', 'Sessions', 'session tokens of your identity provider in place of keys'),
      entry('docs/agents.md', 'Agents', 'tools for agents that write templates, and what they may do'),
      entry('deploy/sandbox/README.md', 'The sandbox', 'a chat platform to try with, and to test against'),
    ],
    reference: [
      entry('docs/api/index.md', 'The API', 'every operation: what it takes, answers and refuses', {
        ...built,
        ...folder,
      }),
      entry('docs/sdk-reference.md', 'Methods of the SDK', 'every method, with an example', built),
      entry('shared/sdk/README.md', 'The package of the SDK', 'what the package holds, in short'),
      entry('docs/errors.md', 'Error codes', 'every code: its cause, an example, what to do'),
      entry('docs/events.md', 'Events', 'what happens in Stanza, told to services of your own'),
    ],
    background: [
      entry('docs/idempotency.md', 'Asking again', 'one header, nothing done twice'),
      entry('docs/credits.md', 'Credits', 'what was spent on what, and the limits of a tier'),
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
      entry('docs/recipes.md', 'Recipes', 'what one does with values: each with template, data and picture'),
      entry('docs/partials.md', 'Partials', 'blocks that templates share, and rolling out a new version'),
      entry(
        'docs/languages.md',
        'Languages',
        'one template in many languages, plurals, and that of the recipient',
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
        'what is newer than they, addresses, disputed figures, how they are brought up to date',
      ),
    ],
  },
  {
    title: 'Using the console',
    who: 'You work in the browser.',
    start: [
      entry(
        'docs/console.md',
        'The console',
        'its screens, signing in, setting it up, how its sessions are kept safe',
      ),
    ],
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
      entry(
        'docs/install.md',
        'Installing',
        'in containers, in a cluster, with a Postgres and a NATS of yours',
      ),
    ],
    tasks: [
      entry(
        'docs/kubernetes.md',
        'Clusters',
        'Kubernetes, by Helm or kustomize: from nothing to a sent message, sizes, scaling, newer versions, NATS, Postgres',
      ),
      entry(
        'docs/vms.md',
        'Three machines',
        'without Kubernetes: systemd, HAProxy, NATS of three, Postgres with a standby',
      ),
      entry('docs/operating.md', 'Operating', 'limits, maintenance, what is kept for how long'),
      entry('docs/upgrading.md', 'Upgrading', 'old and new side by side, and back'),
      entry(
        'docs/monitoring.md',
        'Monitoring',
        'alerts, exporters, NATS, clocks, an example for Alertmanager',
      ),
      entry(
        'docs/postgres.md',
        'Postgres with a standby',
        'what each topology loses, what to do after a failover, fencing, pgbouncer, the archive',
      ),
      entry('docs/backup.md', 'Backing up', 'what is needed, restoring, what a restore means'),
      entry('docs/disaster-recovery.md', 'Disaster recovery', 'what each loss costs, what to do'),
      entry('docs/rotating-keys.md', 'Rotating keys', 'every secret, and how to change it while all runs'),
      entry(
        'docs/runbooks/README.md',
        'Runbooks',
        'what to do when something is wrong, and what each alert means',
        folder,
      ),
    ],
    reference: [
      entry('docs/configuration.md', 'Settings', 'every setting of every service'),
      entry('docs/metrics.md', 'Metrics', 'every metric, its labels and their bounds'),
      entry('docs/logs.md', 'The log', 'its fields, its messages, and what is never in it'),
      entry('CHANGELOG.md', 'Changelog', 'what changed for users and operators'),
      entry('SECURITY.md', 'Reporting a vulnerability', 'where to, and what happens then'),
    ],
    background: [
      entry('docs/threat-model.md', 'Threat model', 'what stops whom, and which test shows it'),
      entry(
        'docs/scaling.md',
        'Scaling',
        'from one machine to cells: what gives way when, with the arithmetic',
      ),
      entry(
        'docs/fair-shares.md',
        'Fair shares',
        'what is shared among organizations and how, limits of time, what the metrics show',
      ),
      entry('docs/chaos.md', 'Chaos', 'what was broken on purpose, and what held'),
      entry('tests/bench/results.md', 'Measurements', 'how fast it is, and what limits it'),
    ],
  },
  {
    title: 'Contributing',
    who: 'You change Stanza itself.',
    start: [entry('CONTRIBUTING.md', 'Contributing', 'set-up, tests, the words, adding an operation')],
    tasks: [
      entry('docs/developing.md', 'Developing', 'the stack from its sources: restarts, logs, debuggers'),
      entry('docs/testing.md', 'Testing', 'the levels, running them in containers, their settings'),
    ],
    reference: [
      entry('docs/dependencies.md', 'Dependencies', 'each package, its licence, what for'),
      entry('CODE_OF_CONDUCT.md', 'Code of conduct', 'how we treat each other'),
    ],
    background: [
      entry('docs/architecture.md', 'How it works', 'services, pipeline, outbox, credits, messages'),
      entry('docs/decisions/README.md', 'Decisions', 'why it is built as it is, and what that costs', folder),
    ],
  },
];

/** The entries of a reader, in order. */
export const entriesOf = (reader: Reader): readonly Entry[] => kinds.flatMap((kind) => reader[kind]);

/** Every entry, in order. */
export const entries: readonly Entry[] = readers.flatMap(entriesOf);
