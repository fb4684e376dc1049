import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileText, isObject, isSame, type JsonObject } from '../files/canonical.ts';
import type { Project } from '../files/project.ts';
import { entriesOf, readJson, unlessBroken } from '../files/read-json.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import { CommandProblem } from '../problem.ts';
import { isKey } from '../templates/template-files.ts';
import { type Kind, type LocalResource, localOf, objectAt, type RemoteResource, refOf } from './kind.ts';
import { allKinds } from './kinds.ts';
import { isVariable, type Variables, variableFor } from './variables.ts';

const ending = '.json';

const fileOf = ({ folder }: Project, kind: Kind, key: string): string =>
  join(folder, kind.folder, `${key}${ending}`);

/** The kinds besides templates whose files a project has. */
export const kindsOf = ({ kinds }: Project): Kind[] =>
  allKinds.filter(({ folder }) => kinds.includes(folder));

/** The files of a kind. */
const filesOf = async ({ folder }: Project, kind: Kind): Promise<string[]> =>
  (await entriesOf(join(folder, kind.folder))).map(({ name }) => name);

const readResource = async (
  project: Project,
  kind: Kind,
  name: string,
  variables: Variables,
): Promise<LocalResource> => {
  const file = join(project.folder, kind.folder, name);
  const key = name.slice(0, -ending.length);
  if (!name.endsWith(ending) || !isKey(key))
    throw new CommandProblem(
      `${file} is named by no key.`,
      `Name the file with lower-case letters, digits and hyphens, and ${ending} at its end.`,
    );
  const read = await readJson(file);
  if (!isObject(read)) throw new CommandProblem(`${file} is no object.`, 'Write one in braces.');
  return localOf(kind, key, read, variables);
};

/**
 * The resources of a project besides its templates, by what names them.
 * @param overwritten those whose files are to be overwritten: where they cannot be read, they count as not there
 */
export const readResources = async (
  project: Project,
  variables: Variables,
  overwritten: readonly string[] = [],
): Promise<Map<string, LocalResource>> => {
  const found = new Map<string, LocalResource>();
  for (const kind of kindsOf(project))
    for (const name of await filesOf(project, kind)) {
      const isOverwritten = overwritten.includes(refOf(kind.folder, name.slice(0, -ending.length)));
      const read = () => readResource(project, kind, name, variables);
      const resource = await unlessBroken(isOverwritten, read);
      if (resource) found.set(resource.ref, resource);
    }
  return found;
};

/** Secrets of the API stand in variables: those that a file names already, or new ones. */
const withVariables = (secrets: JsonObject, before: JsonObject, key: string): JsonObject => {
  const known = new Map(Object.entries(before).map(([name, value]) => [name.toLowerCase(), value]));
  return Object.fromEntries(
    Object.keys(secrets).map((name): [string, unknown] => {
      const value = known.get(name.toLowerCase());
      return [name, isVariable(value) ? value : { env: variableFor(key, name) }];
    }),
  );
};

/** The file of what the API has; variables stay where their values are still the same. */
const fileFor = (
  { kind, key, document }: RemoteResource,
  local: Pick<LocalResource, 'written' | 'document'> | undefined,
): JsonObject =>
  Object.fromEntries(
    Object.entries(document).map(([name, value]): [string, unknown] => {
      const written = local?.written[name];
      if (kind.secretsIn.includes(name))
        return [name, withVariables(objectAt(value), objectAt(written), key)];
      return [name, isVariable(written) && isSame(local?.document[name], value) ? written : value];
    }),
  );

/** Writes the file of a resource. */
export const writeFileOf = (
  project: Project,
  { kind, key }: Pick<LocalResource, 'kind' | 'key'>,
  value: JsonObject,
): Promise<void> => writeAtomically(fileOf(project, kind, key), fileText(value));

/** Writes what the API has into its file. @returns the resource as it stands there, and whether the file has changed */
export const writeResource = async (
  project: Project,
  remote: RemoteResource,
  local: LocalResource | undefined,
  variables: Variables,
): Promise<{ resource: LocalResource; isChanged: boolean }> => {
  const { kind, key } = remote;
  if (!isKey(key))
    throw new CommandProblem(
      `The API has the ${kind.word} ${JSON.stringify(key)}.`,
      'No file can have that name.',
    );
  await mkdir(join(project.folder, kind.folder), { recursive: true });
  const value = fileFor(remote, local);
  const resource = localOf(kind, key, value, variables);
  const isChanged = local === undefined || !isSame(local.written, value);
  if (isChanged) await writeFileOf(project, remote, value);
  return { resource, isChanged };
};

/** Removes the file of a resource. */
export const removeResource = (project: Project, kind: Kind, key: string): Promise<void> =>
  rm(fileOf(project, kind, key), { force: true });
