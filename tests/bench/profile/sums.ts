import { z } from 'zod';

/** What `node --cpu-prof` writes. Times are microseconds of the system's clock that never goes back. */
export const cpuProfile = z.object({
  startTime: z.number(),
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({ functionName: z.string(), url: z.string(), lineNumber: z.number() }),
    }),
  ),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});

/** See {@link cpuProfile}. */
export type CpuProfile = z.output<typeof cpuProfile>;

/** A part of a load, from when to when. */
export interface Period {
  from: number;
  to: number;
}

/** The last part of a path that tells one file from another: the package of a dependency, or the file of ours. */
const placeOf = (url: string): string => {
  const dependency = /node_modules\/((?:@[^/]+\/)?[^/]+)/g;
  const names = [...url.matchAll(dependency)];
  const name = names.at(-1)?.[1];
  if (name !== undefined) return name;
  return /((?:services|shared|deploy)\/.*)$/.exec(url)?.[1] ?? url;
};

/** Microseconds of each function itself, without what it called, by a name of the function and where it is. */
export const selfTimes = (profile: CpuProfile, { from, to }: Period): Map<string, number> => {
  const names = new Map(
    profile.nodes.map(({ id, callFrame: { functionName, url } }) => [
      id,
      `${functionName || '(anonymous)'}${url ? ` ${placeOf(url)}` : ''}`,
    ]),
  );
  const sums = new Map<string, number>();
  let at = profile.startTime;
  for (const [index, id] of profile.samples.entries()) {
    const took = profile.timeDeltas[index] ?? 0;
    at += took;
    if (at < from || at > to) continue;
    const name = names.get(id) ?? '(unknown)';
    sums.set(name, (sums.get(name) ?? 0) + took);
  }
  return sums;
};

/** The same by where the functions are. */
export const byPlace = (times: ReadonlyMap<string, number>): Map<string, number> => {
  const sums = new Map<string, number>();
  for (const [name, took] of times) {
    const place = name.slice(name.indexOf(' ') + 1);
    sums.set(place, (sums.get(place) ?? 0) + took);
  }
  return sums;
};
