/**
 * Takes the project that the argument names down when its standard input ends: when the tests are done, and also when
 * they are interrupted or killed, after which jest runs no afterAll. It removes containers, networks, volumes and the
 * image that was built for the project.
 */
import { once } from 'node:events';
import { getContainerRuntimeClient } from 'testcontainers';
import { checkout, composeFileName } from './compose-file.ts';

const projectName = process.argv[2] ?? '';

process.stdin.resume();
await once(process.stdin, 'end');

const { compose, container } = await getContainerRuntimeClient();
const ofProject = { label: [`com.docker.compose.project=${projectName}`] };

const left = async (): Promise<number> => {
  const { length: containers } = await container.dockerode.listContainers({ all: true, filters: ofProject });
  const { length: networks } = await container.dockerode.listNetworks({ filters: ofProject });
  return containers + networks;
};

// Interrupted tests may leave a "compose up" behind that creates something while this removes it.
do {
  const options = { filePath: checkout, files: composeFileName, projectName };
  await compose.down(options, { removeVolumes: true, timeout: 5_000 });
} while ((await left()) > 0);

const images = await container.dockerode.listImages({ filters: { reference: [`stanza:${projectName}`] } });
for (const { Id } of images) await container.dockerode.getImage(Id).remove({ force: true });
