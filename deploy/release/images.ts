import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files that name third-party images, each with an expression that matches the reference. */
const places: Readonly<Record<string, RegExp>> = {
  'docker-compose.yml': /(?<=^ +image: )[^\s${]+$/gm,
  'deploy/docker/Dockerfile': /(?<=^ARG NODE_IMAGE=)\S+$/gm,
  'tests/runner/containers.ts': /(?<=(?:postgres|nats): ')[^'\s]+:[^'\s]+(?=')/g,
  'deploy/kubernetes/overlays/production/kustomization.yaml': /(?<=- name: nats\n +newTag: )\S+$/gm,
  'deploy/kubernetes/overlays/small/kustomization.yaml': /(?<=- name: nats\n +newTag: )\S+$/gm,
};

/** An overlay of Kubernetes gives only the tag; the name is in the base. */
const nameOf = (file: string, written: string): string =>
  file.startsWith('deploy/kubernetes') ? `nats:${written}` : written;

const digestShape = /^sha256:[0-9a-f]{64}$/;

/** A reference to an image in a file. */
export interface ImageReference {
  file: string;
  /** With its name, also where the file gives only the tag. */
  image: string;
  isPinned: boolean;
}

/** Finds every third-party image in a file of the repository. */
export const imagesIn = (file: string, text: string): ImageReference[] =>
  [...text.matchAll(places[file] ?? /$^/g)].map(([written]) => ({
    file,
    image: nameOf(file, written),
    isPinned: digestShape.test(written.split('@')[1] ?? ''),
  }));

/** The text with each image without a digest pinned to the one of `digestOf`. */
export const pinned = (file: string, text: string, digestOf: (image: string) => string): string =>
  text.replace(places[file] ?? /$^/g, (written) => {
    if (written.includes('@')) return written;
    const digest = digestOf(nameOf(file, written));
    if (!digestShape.test(digest)) throw new Error(`${digest} is not a digest of ${written}`);
    return `${written}@${digest}`;
  });

/** Asks the registry, through Docker's builder, for the current digest of a tag. */
const askRegistry = (image: string): string => {
  const words = ['buildx', 'imagetools', 'inspect', image, '--format', '{{ .Manifest.Digest }}'];
  const { status, stdout, stderr, error } = spawnSync('docker', words, { encoding: 'utf8' });
  if (status !== 0)
    throw new Error(`the digest of ${image} is not known: ${error?.message ?? stderr.trim()}`);
  return stdout.trim();
};

const textOf = (root: string, file: string): string => readFileSync(join(root, file), 'utf8');

/** Every third-party image of a checkout. */
export const imagesOf = (root: string): ImageReference[] =>
  Object.keys(places).flatMap((file) => imagesIn(file, textOf(root, file)));

/**
 * Lists the images of a checkout.
 * @throws an Error when an image has no digest, so its tag could change
 */
export const checkImages = (root: string): string => {
  const images = imagesOf(root);
  const open = images.filter(({ isPinned }) => !isPinned).map(({ file, image }) => `  ${file}: ${image}`);
  if (open.length === 0) return images.map(({ image }) => `${image}\n`).join('');
  throw new Error(
    `images without a digest, whose tag the registry can change:\n${open.join('\n')}\n"node deploy/release/main.ts pin" writes the current digests; check them, and commit them.`,
  );
};

/** Pins every image of a checkout to the current digest of its tag, which is asked for once. */
export const pinImages = (root: string, digestOf: (image: string) => string = askRegistry): string => {
  const known = new Map<string, string>();
  const once = (image: string): string => {
    const digest = known.get(image) ?? digestOf(image);
    known.set(image, digest);
    return digest;
  };
  // All digests are known before a file is written.
  const texts = Object.keys(places).map((file) => [file, pinned(file, textOf(root, file), once)] as const);
  for (const [file, text] of texts) writeFileSync(join(root, file), text);
  return [...known].map(([image, digest]) => `${image}@${digest}\n`).join('');
};
