import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where images of others are named, and how: the expression finds the reference behind the lookbehind. */
const places: Readonly<Record<string, RegExp>> = {
  'docker-compose.yml': /(?<=^ +image: )[^\s${]+$/gm,
  'deploy/docker/Dockerfile': /(?<=^ARG NODE_IMAGE=)\S+$/gm,
  'tests/runner/containers.ts': /(?<=(?:postgres|nats): ')[^'\s]+:[^'\s]+(?=')/g,
  'deploy/kubernetes/overlays/production/kustomization.yaml': /(?<=- name: nats\n +newTag: )\S+$/gm,
  'deploy/kubernetes/overlays/small/kustomization.yaml': /(?<=- name: nats\n +newTag: )\S+$/gm,
};

/** An overlay of Kubernetes gives the tag alone, since the name stands in the base. */
const nameOf = (file: string, written: string): string =>
  file.startsWith('deploy/kubernetes') ? `nats:${written}` : written;

const digestShape = /^sha256:[0-9a-f]{64}$/;

/** An image as a file names it. */
export interface ImageReference {
  file: string;
  /** With its name, also where the file gives the tag alone. */
  image: string;
  isPinned: boolean;
}

/** Finds every image of others that a text of the repository names. */
export const imagesIn = (file: string, text: string): ImageReference[] =>
  [...text.matchAll(places[file] ?? /$^/g)].map(([written]) => ({
    file,
    image: nameOf(file, written),
    isPinned: digestShape.test(written.split('@')[1] ?? ''),
  }));

/** The text with each image that has no digest pinned to that which `digestOf` tells. */
export const pinned = (file: string, text: string, digestOf: (image: string) => string): string =>
  text.replace(places[file] ?? /$^/g, (written) => {
    if (written.includes('@')) return written;
    const digest = digestOf(nameOf(file, written));
    if (!digestShape.test(digest)) throw new Error(`${digest} is no digest of ${written}`);
    return `${written}@${digest}`;
  });

/** Asks the registry, through the builder of Docker, which digest a tag has now. */
const askRegistry = (image: string): string => {
  const words = ['buildx', 'imagetools', 'inspect', image, '--format', '{{ .Manifest.Digest }}'];
  const { status, stdout, stderr, error } = spawnSync('docker', words, { encoding: 'utf8' });
  if (status !== 0)
    throw new Error(`the digest of ${image} is not known: ${error?.message ?? stderr.trim()}`);
  return stdout.trim();
};

const textOf = (root: string, file: string): string => readFileSync(join(root, file), 'utf8');

/** Every image of others that a checkout names. */
export const imagesOf = (root: string): ImageReference[] =>
  Object.keys(places).flatMap((file) => imagesIn(file, textOf(root, file)));

/**
 * Lists the images of a checkout.
 * @throws Error while any of them can be exchanged under its tag
 */
export const checkImages = (root: string): string => {
  const images = imagesOf(root);
  const open = images.filter(({ isPinned }) => !isPinned).map(({ file, image }) => `  ${file}: ${image}`);
  if (open.length === 0) return images.map(({ image }) => `${image}\n`).join('');
  throw new Error(
    `images without a digest, which the registry can exchange under their tag:\n${open.join('\n')}\n"node deploy/release/main.ts pin" writes what their tags are now; look at it, and commit it.`,
  );
};

/** Pins every image of a checkout to what its tag is now; the digests of one tag are asked for once. */
export const pinImages = (root: string, digestOf: (image: string) => string = askRegistry): string => {
  const known = new Map<string, string>();
  const once = (image: string): string => {
    const digest = known.get(image) ?? digestOf(image);
    known.set(image, digest);
    return digest;
  };
  // All are known before any is written.
  const texts = Object.keys(places).map((file) => [file, pinned(file, textOf(root, file), once)] as const);
  for (const [file, text] of texts) writeFileSync(join(root, file), text);
  return [...known].map(([image, digest]) => `${image}@${digest}\n`).join('');
};
