import { createHash } from 'node:crypto';

/** Characters of a tag: 132 bits. */
const length = 22;

/** The `ETag` of a representation. */
export const entityTag = (representation: string | Uint8Array): string =>
  `"${createHash('sha256').update(representation).digest('base64url').slice(0, length)}"`;

/** The parts of a resource that its tag leaves out. */
export interface EntityTagged {
  /** Keys that follow from others, or that change by themselves. */
  without?: readonly string[];
  /** The keys left out change by themselves, so that `If-None-Match` would hide their changes. */
  onlyForChanges?: true;
}

/** The `ETag` of a resource as its operations answer it. */
export const resourceTag = (resource: object, { without = [] }: EntityTagged): string =>
  entityTag(
    JSON.stringify(Object.fromEntries(Object.entries(resource).filter(([key]) => !without.includes(key)))),
  );

/**
 * Whether the header `If-Match` or `If-None-Match` names a tag. A proxy that compresses answers marks their tags as
 * weak, which is no other tag here.
 */
export const namesTag = (header: string, tag: string): boolean =>
  header.split(',').some((given) => {
    const plain = given.trim().replace(/^W\//, '');
    return plain === '*' || plain === tag;
  });
