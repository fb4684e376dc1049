/** A process that runs the services of `STANZA_SERVICES`. Only those are imported, to save memory. */
import { runServices } from '@stanza/runtime';
import { serviceModules, servicesOf } from './service-modules.ts';

const names = servicesOf(process.env.STANZA_SERVICES ?? '');
// A service would refuse it: it is no setting of its own.
delete process.env.STANZA_SERVICES;
const modules = await Promise.all(names.map((name) => serviceModules[name]()));
await runServices(modules.map(({ service }) => service));
