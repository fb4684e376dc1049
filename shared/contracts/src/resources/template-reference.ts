import type { z } from 'zod';
import { id, key } from './values.ts';

const forms = ['template_id', 'template_key'] as const;

/** The two ways to name a template. */
export const templateReference = {
  template_id: id.optional().describe('the template; or give its key'),
  template_key: key.optional().describe('the key of the template, in place of its id'),
};

/** A template as a request names it. */
export interface TemplateReference {
  template_id?: string | null | undefined;
  template_key?: string | null | undefined;
}

type Context = Pick<z.core.$RefinementCtx, 'addIssue'>;

const countOf = (given: TemplateReference): number =>
  forms.filter((form) => given[form] !== undefined && given[form] !== null).length;

/** Accepts a template that is named in exactly one of the two ways. */
export const isOneTemplate = (given: TemplateReference, context: Context): void => {
  const count = countOf(given);
  if (count === 1) return;
  const message =
    count === 0 ? 'is required, or template_key in its place' : 'give template_id or template_key, not both';
  context.addIssue({ code: 'custom', path: [count === 0 ? 'template_id' : 'template_key'], message });
};

/** Accepts a template that is named in one of the two ways at most. */
export const isOneTemplateAtMost = (given: TemplateReference, context: Context): void => {
  if (countOf(given) > 1) isOneTemplate(given, context);
};

/** The same as {@link isOneTemplate} for the schema that is published. */
export const oneTemplate = { oneOf: forms.map((form) => ({ required: [form] })) };
