import { parse as parseForm } from 'node:querystring';

/** Arguments of a call by name: text from a form or a query, any JSON value from a JSON body. */
export type Arguments = Readonly<Record<string, unknown>>;

/** Arguments, or the platform's error name for a body that cannot be read. */
export type ArgumentsResult =
  | { readonly ok: true; readonly args: Arguments }
  | { readonly ok: false; readonly error: string };

/** Whether a value is a JSON object (no list, no null). */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseJson(text: string): { readonly ok: true; readonly value: unknown } | { readonly ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return { ok: false };
    throw error;
  }
}

/**
 * Reads the arguments of a call: those of the query, overlaid by those of the body.
 *
 * @param contentType the request's header; the official client sends forms
 * @param body the raw text of the body
 * @param query the text after `?`
 */
export function readArguments(contentType: string, body: string, query: string): ArgumentsResult {
  const fromQuery = query === '' ? {} : parseForm(query);
  if (body === '') return { ok: true, args: fromQuery };
  if (contentType.startsWith('application/x-www-form-urlencoded')) {
    return { ok: true, args: { ...fromQuery, ...parseForm(body) } };
  }
  if (contentType.startsWith('application/json')) {
    const parsed = parseJson(body);
    if (!parsed.ok) return { ok: false, error: 'invalid_json' };
    if (!isObject(parsed.value)) return { ok: false, error: 'json_not_object' };
    return { ok: true, args: { ...fromQuery, ...parsed.value } };
  }
  return { ok: false, error: contentType === '' ? 'missing_post_type' : 'invalid_post_type' };
}

/** An argument as text; undefined when it is absent, empty or structured. */
export function textArgument(args: Arguments, name: string): string | undefined {
  const value = args[name];
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' ? String(value) : undefined;
}

/** An argument as a yes or no; absent means no. */
export function flagArgument(args: Arguments, name: string): boolean {
  const value = args[name];
  return value === true || value === 'true' || value === '1';
}

/** A structured argument: absent, unreadable JSON text, or its value. */
export type StructuredArgument =
  | { readonly state: 'absent' }
  | { readonly state: 'malformed' }
  | { readonly state: 'present'; readonly value: unknown };

/** Reads an argument that is a list or an object: JSON text in a form, the value itself in a JSON body. */
export function structuredArgument(args: Arguments, name: string): StructuredArgument {
  const value = args[name];
  if (value === undefined || value === null || value === '') return { state: 'absent' };
  if (typeof value !== 'string') return { state: 'present', value };
  const parsed = parseJson(value);
  return parsed.ok ? { state: 'present', value: parsed.value } : { state: 'malformed' };
}
