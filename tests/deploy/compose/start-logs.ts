import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { getContainerRuntimeClient } from 'testcontainers';
import { z } from 'zod';

/** The logs of a project's containers while they start. */
export interface StartLogs {
  /** The last lines of each container, for the report about a failed start. */
  lastLines: () => string;
  /** Stops following. */
  end: () => void;
}

const startedSchema = z.object({
  Actor: z.object({ ID: z.string(), Attributes: z.object({ name: z.string() }) }),
});

const kept = 20;

/**
 * Follows every container of a project from its start. testcontainers removes what did not become healthy, so it is too
 * late afterwards to ask for a log.
 */
export const followLogs = async (project: string): Promise<StartLogs> => {
  const { container } = await getContainerRuntimeClient();
  const open: Readable[] = [];
  const lines = new Map<string, string[]>();
  const follow = async (id: string, name: string): Promise<void> => {
    const log = await container.logs(container.getById(id));
    open.push(log);
    const ofOne = lines.get(name) ?? [];
    lines.set(name, ofOne);
    createInterface({ input: log }).on('line', (line) => {
      ofOne.push(`${name}: ${line}`);
      if (ofOne.length > kept) ofOne.shift();
    });
  };
  const filters = { label: [`com.docker.compose.project=${project}`], event: ['start'] };
  const events = await container.dockerode.getEvents({ filters });
  // Not wrapped into another stream, which would keep the connection open until the next event.
  if (!(events instanceof Readable))
    throw new Error('The engine answers with a stream that cannot be closed.');
  open.push(events);
  createInterface({ input: events }).on('line', (line) => {
    const { Actor } = startedSchema.parse(JSON.parse(line));
    void follow(Actor.ID, Actor.Attributes.name);
  });
  return {
    lastLines: () => [...lines.values()].flat().join('\n'),
    end: () => {
      for (const stream of open) stream.destroy();
    },
  };
};
