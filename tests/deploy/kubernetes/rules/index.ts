import type { Cluster } from '../cluster.ts';
import { brokerRules } from './broker.ts';
import { networkRules } from './network.ts';
import { podRules } from './pods.ts';
import { referenceRules } from './references.ts';
import { scalingRules } from './scaling.ts';
import { settingRules } from './settings.ts';

/** Everything that manifests are held to besides the schemas of their kinds. */
export const rules = {
  settings: settingRules,
  references: referenceRules,
  pods: podRules,
  scaling: scalingRules,
  network: networkRules,
  broker: brokerRules,
} satisfies Record<string, (cluster: Cluster) => string[]>;

/** Every problem that any rule finds. */
export const problemsOf = (cluster: Cluster): string[] =>
  Object.values(rules).flatMap((rule) => rule(cluster));
