import type { Metadata } from '../world/message.ts';
import { isJsonObject, type JsonObject } from './checks.ts';
import { maxOf } from './table.ts';

/** The whole event with its payload, as JSON text in UTF-8. */
const METADATA_BYTES_MAX = maxOf('interactivity.metadata_total_bytes');

/** An event that may be attached to a message, or the platform's error name. */
export type MetadataResult =
  | { readonly ok: true; readonly metadata: Metadata }
  | { readonly ok: false; readonly error: string };

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function isFlatObject(value: unknown): value is JsonObject {
  return isJsonObject(value) && Object.values(value).every(isScalar);
}

/** A payload's values are scalars, flat objects of scalars, or lists of such objects. */
function isPayloadValue(value: unknown): boolean {
  return isScalar(value) || isFlatObject(value) || (Array.isArray(value) && value.every(isFlatObject));
}

/** Reads the `metadata` of a message. */
export function readMetadata(value: unknown): MetadataResult {
  if (!isJsonObject(value)) return { ok: false, error: 'invalid_metadata_format' };
  const { event_type, event_payload, ...rest } = value;
  const named = typeof event_type === 'string' && event_type !== '';
  if (!named || !isJsonObject(event_payload) || Object.keys(rest).length > 0) {
    return { ok: false, error: 'invalid_metadata_format' };
  }
  if (!Object.values(event_payload).every(isPayloadValue))
    return { ok: false, error: 'invalid_metadata_schema' };
  if (Buffer.byteLength(JSON.stringify(value)) > METADATA_BYTES_MAX) {
    return { ok: false, error: 'metadata_too_large' };
  }
  return { ok: true, metadata: { event_type, event_payload } };
}
