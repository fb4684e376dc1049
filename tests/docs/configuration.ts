import { type ServiceName, serviceNames } from '@stanza/contracts';
import { z } from 'zod';
import { settingsOf } from '../deploy/kubernetes/rules/settings.ts';

/** A setting as the page tells of it. */
export interface Setting {
  name: string;
  services: readonly ServiceName[];
  required: boolean;
  secret: boolean;
  /** What may be given, for people. */
  type: string;
  default: string;
  meaning: string;
  example: string;
}

const facts = z.object({
  type: z.string().default('string'),
  enum: z.array(z.string()).optional(),
  format: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  default: z.unknown().optional(),
  description: z.string().default(''),
  example: z.string().default(''),
  secret: z.boolean().default(false),
});

const grouped = new Intl.NumberFormat('en-US');

const typeOf = ({ type, enum: values, format, minimum, maximum }: z.output<typeof facts>): string => {
  if (values) return values.map((value) => `\`${value}\``).join(' ');
  if (format === 'uri') return 'URL';
  if (type !== 'integer') return 'text';
  return `${grouped.format(minimum ?? 0)} to ${grouped.format(maximum ?? 0)}`;
};

const defaultOf = (schema: z.ZodType, { default: given }: z.output<typeof facts>): string => {
  const inner =
    schema.def.type === 'default' && schema instanceof z.ZodDefault ? schema.def.defaultValue : given;
  return Array.isArray(inner) ? inner.join(',') : String(inner ?? '');
};

const settingOf = (name: string, schema: z.ZodType): Omit<Setting, 'services'> => {
  const known = facts.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  return {
    name,
    required: !schema.safeParse(undefined).success,
    secret: known.secret,
    type: typeOf(known),
    default: defaultOf(schema, known),
    meaning: known.description,
    example: known.example,
  };
};

/** Every setting, once for all services that mean the same by it, in the order of the services. */
export const allSettings = (): readonly Setting[] => {
  const found = new Map<string, Setting>();
  for (const service of serviceNames) {
    for (const [name, schema] of Object.entries<z.ZodType>(settingsOf[service].shape)) {
      const setting = settingOf(name, schema);
      const key = JSON.stringify(setting);
      found.set(key, { ...setting, services: [...(found.get(key)?.services ?? []), service] });
    }
  }
  return [...found.values()];
};

/** What a table takes as it is: no bar, and nothing that looks like a tag outside of code. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/(?<!`[^`]*)</g, '\\<');
const code = (text: string): string => (text === '' ? '' : `\`${text}\``);

const row = (it: Setting): string => {
  const marks = [it.required ? 'required' : '', it.secret ? 'secret' : ''].filter((mark) => mark !== '');
  const cells = [code(it.name), it.type, code(it.default), marks.join(', '), it.meaning, code(it.example)];
  return `| ${cells.map(cell).join(' | ')} |`;
};

const table = (settings: readonly Setting[]): string =>
  [
    '| setting | value | default | | meaning | example |',
    '|---|---|---|---|---|---|',
    ...settings.map(row),
  ].join('\n');

const section = (title: string, settings: readonly Setting[]): string =>
  `## ${title}\n\n${table(settings)}\n`;

/** The reference of the settings, in Markdown. */
export const configurationPage = (): string => {
  const settings = allSettings();
  const shared = settings.filter(({ services }) => services.length === serviceNames.length);
  const storing = settings.filter(({ services }) => services.length === serviceNames.length - 1);
  const own = serviceNames.flatMap((service) => {
    const others = settings.filter((it) => ![...shared, ...storing].includes(it));
    const alone = others.filter(({ services }) => services.includes(service));
    return alone.length === 0 ? [] : [section(`The ${service} service`, alone)];
  });
  return `# Settings

Every process reads its settings from environment variables. An unknown \`STANZA_…\` variable, an invalid value or a missing
required setting ends the process with exit code 78 and a log line for each; values are never printed.
White space around a value is not part of it, and an empty value counts as unset. Keep secret settings in a secret store, never in an image, a log or a command line.

\`STANZA_SERVICES\` runs several services in one process: \`all\`, or names separated by commas. In such a process, a setting prefixed with the name of a service, such as
\`DELIVERY_STANZA_DATABASE_URL\`, applies only to that service ([a small machine](install.md#a-small-machine-one-process)).

All services except compile have a schema in Postgres. \`npm start\` sets everything. The standard variables of
OpenTelemetry (\`OTEL_EXPORTER_OTLP_ENDPOINT\`, \`OTEL_SDK_DISABLED\`, …) turn tracing on and off; without an endpoint, tracing is
off. The admin commands read \`NATS_URL\` (\`nats://admin:<password>@host:4222\`); without it, they use the stack in \`.stanza/\`.
The image's \`migrate\` reads \`STANZA_MIGRATION_URL\`: the address of Postgres with the role \`stanza_migrator\`.

This page is generated from the schemas of the services by \`npm run docs\`.

${section('Every service', shared)}
${section('Every service with a schema in Postgres', storing)}
${own.join('\n')}`;
};
