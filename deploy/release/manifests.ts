import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const manifest = z.object({
  name: z.string(),
  version: z.string().optional(),
  private: z.boolean().default(false),
  workspaces: z.array(z.string()).default([]),
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});

/** The fields of a package.json that a release needs. */
export type Manifest = z.infer<typeof manifest>;

/** Reads the package.json of a folder. */
export const readManifest = (folder: string): Manifest =>
  manifest.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));

/** The manifests of the workspaces of a checkout, by their folder. */
export const workspaces = (root: string): Map<string, Manifest> => {
  const folders = readManifest(root).workspaces.flatMap((pattern) =>
    globSync(`${pattern}/package.json`, { cwd: root }).map((file) => file.replace(/\/package\.json$/, '')),
  );
  return new Map(folders.sort().map((folder) => [folder, readManifest(join(root, folder))]));
};

/** Names of the packages that a release packs: those that are not private. */
export const publicPackages = (root: string): string[] =>
  [...workspaces(root).values()].filter((it) => !it.private).map((it) => it.name);
