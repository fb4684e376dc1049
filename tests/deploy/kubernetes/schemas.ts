import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from './manifest.ts';

const root = join(import.meta.dirname, '../../..');

/** Where the type of a resource stands: the API's and the operators' own schemas, published as types. */
const packages: Record<string, string> = {
  v1: 'kubernetes-models/v1',
  'apps/v1': 'kubernetes-models/apps/v1',
  'autoscaling/v2': 'kubernetes-models/autoscaling/v2',
  'batch/v1': 'kubernetes-models/batch/v1',
  'networking.k8s.io/v1': 'kubernetes-models/networking.k8s.io/v1',
  'policy/v1': 'kubernetes-models/policy/v1',
  'scheduling.k8s.io/v1': 'kubernetes-models/scheduling.k8s.io/v1',
  'keda.sh/v1alpha1': '@kubernetes-models/keda/keda.sh/v1alpha1',
  'monitoring.coreos.com/v1': '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
};

const sourceFor = ({ apiVersion, kind, ...rest }: JsonObject): string => {
  const from = packages[String(apiVersion)];
  if (from === undefined) throw new Error(`there is no schema for ${String(apiVersion)} ${String(kind)}`);
  const body = JSON.stringify({ apiVersion, kind, ...rest }, null, 1);
  return `import type { I${String(kind)} } from '${from}/${String(kind)}';\nexport default ${body} satisfies I${String(kind)};\n`;
};

const project = JSON.stringify({
  compilerOptions: {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    module: 'nodenext',
    target: 'es2024',
    types: [],
  },
});

/**
 * Checks resources against the schemas of their kinds, with keys that the schemas don't know as mistakes: as object
 * literals of these types, which the compiler reads so strictly.
 * @returns for each resource what is wrong with it
 */
export const schemaProblems = (resources: readonly JsonObject[]): string[][] => {
  mkdirSync(join(root, '.stanza'), { recursive: true });
  const folder = mkdtempSync(join(root, '.stanza/manifests-'));
  try {
    resources.forEach((resource, index) => {
      writeFileSync(join(folder, `m${index}.ts`), sourceFor(resource));
    });
    writeFileSync(join(folder, 'tsconfig.json'), project);
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout, stderr, status } = spawnSync(process.execPath, [compiler, '-p', folder], {
      cwd: folder,
      encoding: 'utf8',
    });
    const problems = resources.map((_, index) =>
      stdout
        .split('\n')
        .filter((line) => line.startsWith(`m${index}.ts(`))
        .map((line) => line.slice(line.indexOf(': ') + 2)),
    );
    if (status !== 0 && problems.flat().length === 0) throw new Error(stdout + stderr);
    return problems;
  } finally {
    rmSync(folder, { recursive: true });
  }
};
