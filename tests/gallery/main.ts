import { join } from 'node:path';
import { messages, modals } from '@stanza/gallery/exhibits';
import { Api } from '../kit/api.ts';
import { makeModals, readStack, sendMessages } from './send.ts';

/** Channels of the sandbox that are there for volume: one takes a message a second. */
const firstChannel = 1_400;

/** Puts the whole gallery into the running demo, and every message onto the page of its sandbox. */
const { base_url, sandbox_url, organizations } = readStack(
  join(import.meta.dirname, '../../.stanza/stack.json'),
);
const api = new Api(base_url, organizations[0]?.keys.owner);
await makeModals(api, modals);
await sendMessages(api, messages, (index) => `C${firstChannel + index}`);
console.log(`sent ${messages.length} messages and made ${modals.length} modals: see ${sandbox_url}`);
