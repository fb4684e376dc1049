import { runServices } from '@stanza/runtime';
import { service } from './service.ts';

await runServices([service]);
