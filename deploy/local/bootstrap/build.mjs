import { join } from 'node:path';
import { Advice } from './advice.mjs';
import { forgetBuilt, isBuilt, rememberBuilt, sourcesOf } from './built.mjs';
import { forgetProgramsOnly, isBuiltWhole, programsOnly } from './emit.mjs';
import { runQuietly } from './run-quietly.mjs';

/** A build that finds nothing to do is shorter than this, and not worth a line. */
const graceMs = 700;

/**
 * Builds what has changed. Where no file has since the last build, no compiler is asked. The bundler reads sources
 * alone, so it runs next to the compiler.
 * @param {string} root the checkout
 * @param {string} node path of the Node to run the compiler under
 * @param {{ everything: boolean, types: boolean }} what whether to distrust the record, since the packages' types are
 * new, and whether to check the types
 */
export const build = async (root, node, what) => {
  if (!what.everything && isBuilt(root, sourcesOf(root, node), what.types)) return;
  forgetBuilt(root);
  await generate(root, node);
  const sources = sourcesOf(root, node);
  const steps = [compile(root, node, what).then(() => packDownloads(root, node)), buildConsole(root, node)];
  // A step that fails does not leave the other one running after the lock of the set-up.
  const failed = (await Promise.allSettled(steps)).find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
  rememberBuilt(root, sources, what.types);
};

/**
 * Compiles the projects. What runs the product writes the programs without a look at their types; the record remembers
 * what is not checked yet. The first build of a clone leaves out the declarations as well, until one needs them.
 */
const compile = async (root, node, { everything, types }) => {
  const light = !types && !isBuiltWhole(root);
  if (!light) forgetProgramsOnly(root);
  const args = [
    join(root, 'node_modules/typescript/bin/tsc'),
    '-b',
    ...(light ? programsOnly(root) : []),
    ...(everything ? ['--force'] : []),
    ...(types ? [] : ['--noCheck']),
  ];
  const { ok, output } = await runQuietly('Building', node, args, { cwd: root }, graceMs);
  if (!ok)
    throw new Advice(`The sources do not compile:\n${output}`, 'Correct them and run the command again.');
};

/**
 * Writes the sources that are made from others, where those have changed.
 * @param {string} root the checkout
 * @param {string} node path of the Node to run it under
 */
const generate = async (root, node) => {
  const args = ['--conditions=@stanza/source', join(root, 'shared/sdk-emitter/src/main.ts')];
  const { ok, output } = await runQuietly('Generating the SDK', node, args, { cwd: root }, graceMs);
  if (!ok)
    throw new Advice(`The SDK cannot be generated:\n${output}`, 'Correct it and run the command again.');
};

/**
 * Builds the console's pages where their sources have changed.
 * @param {string} root the checkout
 * @param {string} node path of the Node to run the bundler under
 */
const buildConsole = async (root, node) => {
  const args = [join(root, 'services/console/build/build.ts')];
  const { ok, output } = await runQuietly('Building the console', node, args, { cwd: root }, graceMs);
  if (!ok)
    throw new Advice(`The console does not build:\n${output}`, 'Correct it and run the command again.');
};

/**
 * Packs the SDKs and the command, which the gateway serves, where their sources have changed.
 * @param {string} root the checkout
 * @param {string} node path of the Node to run it under
 */
const packDownloads = async (root, node) => {
  const args = [join(root, 'services/gateway/build/downloads.ts')];
  const { ok, output } = await runQuietly('Packing the SDKs', node, args, { cwd: root }, graceMs);
  if (!ok) throw new Advice(`The SDKs cannot be packed:\n${output}`, 'Correct it and run the command again.');
};
