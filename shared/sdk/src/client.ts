import type { BulkReply } from './bulk.ts';
import { Operations } from './generated/operations.ts';
import type { CompileTemplateReply, PreviewTemplateReply, SendTemplateReply } from './generated/types.ts';
import type { Answered, CallOptions, KeyedOptions } from './options.ts';
import type { BulkOf, CompileOf, MessageOf, PreviewOf, TemplateKey } from './templates.ts';

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A template as requests name it: by its key, or by its id. */
const named = (template: string) =>
  uuid.test(template) ? { template_id: template } : { template_key: template };

/**
 * The API of a Stanza. Every operation is a method, under the names of its path: `stanza.templates.versions.activate(…)`.
 * What is done most has a shorter way that knows the templates: `stanza.send('deploy-alert', …)`.
 */
export class Stanza extends Operations {
  /** Compiles the live version of a template and posts it, once. */
  send<Key extends TemplateKey>(
    template: Key,
    message: MessageOf<Key>,
    options?: KeyedOptions,
  ): Promise<Answered<SendTemplateReply>> {
    const body = { ...named(template), ...message };
    return this.call('keyed', 'templates.send', 'POST', '/templates/send', options, body);
  }

  /** Compiles a template once and posts it to any number of destinations, a hundred with each request. */
  sendBulk<Key extends TemplateKey>(
    template: Key,
    message: BulkOf<Key>,
    options?: KeyedOptions,
  ): Promise<Answered<BulkReply>> {
    return this.bulk({ ...named(template), ...message }, options);
  }

  /** Compiles the live version of a template; you post the blocks yourself. */
  compile<Key extends TemplateKey>(
    template: Key,
    message: CompileOf<Key>,
    options?: KeyedOptions,
  ): Promise<Answered<CompileTemplateReply>> {
    const body = { ...named(template), ...message };
    return this.call('keyed', 'templates.compile', 'POST', '/templates/compile', options, body);
  }

  /** Shows what a version makes of data, free of charge. */
  preview<Key extends TemplateKey>(
    template: Key,
    message: PreviewOf<Key> = {},
    options?: CallOptions,
  ): Promise<Answered<PreviewTemplateReply>> {
    const body = { ...named(template), ...message };
    return this.call('read', 'templates.preview', 'POST', '/templates/preview', options, body);
  }
}
