/**
 * A process of its own, run before a service of a cluster: waits until the database that `STANZA_DATABASE_URL` names has
 * the schema that this release of the service needs. The argument is the service's name.
 */
import { schemaOf, serviceNames } from '@stanza/contracts';
import { awaitSchema, createLogger } from '@stanza/runtime';
import { migrationModules } from './service-modules.ts';

/** A migration of a large table may take this long, milliseconds; whoever started this process starts it again. */
const patienceMs = 30 * 60_000;

const service = serviceNames.find((name) => name === process.argv[2]);
if (service === undefined) throw new Error(`Name a service: ${serviceNames.join(', ')}.`);
const url = process.env.STANZA_DATABASE_URL;
if (url === undefined) throw new Error('STANZA_DATABASE_URL names no database.');
const log = createLogger({ name: 'await-schema', level: 'info' });
const { migrations } = await migrationModules[service]();
await awaitSchema({ url, schema: schemaOf(service), migrations, log, patienceMs });
