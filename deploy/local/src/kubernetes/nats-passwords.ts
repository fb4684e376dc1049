import { StackFailure } from '../failure.ts';
import { loginsOf, natsUsers } from '../nats/config.ts';
import { natsPasswordsFile, passwordIn } from '../nats/users-file.ts';
import { newPassword } from '../secrets.ts';
import type { ClusterSecrets } from './cluster-secrets.ts';

/** The user of NATS that a process uses, and what NATS knows of its two users. */
interface Login {
  caller: (typeof natsUsers)[number];
  /** The user that the process logs in as. */
  user: string;
  password: string;
  /** The other user of the process. */
  spare: string;
  sparePassword: string;
}

type Values = Record<string, string>;

const valuesOf = ({ items }: ClusterSecrets, name: string): Values => {
  const found = items.find(({ metadata }) => metadata.name === name);
  if (found) return found.stringData;
  throw new StackFailure(
    `There is no Secret "${name}" in the file.`,
    'Use a file of "npm run admin -- kubernetes secrets".',
  );
};

/** Gives a spare user without a password a random one. */
const loginIn = (secrets: ClusterSecrets, caller: Login['caller']): Login => {
  const own = valuesOf(secrets, caller);
  const user = own.STANZA_NATS_USER ?? caller;
  const spare = loginsOf(caller).find((it) => it !== user) ?? caller;
  const file = valuesOf(secrets, 'nats')['passwords.conf'] ?? '';
  return {
    caller,
    user,
    password: own.STANZA_NATS_PASSWORD ?? newPassword(),
    spare,
    sparePassword: passwordIn(file, spare) ?? newPassword(),
  };
};

const replaced = (secrets: ClusterSecrets, name: string, values: Values): ClusterSecrets => ({
  ...secrets,
  items: secrets.items.map((it) =>
    it.metadata.name === name ? { ...it, stringData: { ...it.stringData, ...values } } : it,
  ),
});

const withLogins = (
  secrets: ClusterSecrets,
  logins: readonly Login[],
  rotation: 'none' | 'open',
): ClusterSecrets => {
  const passwords = logins.flatMap(({ user, password, spare, sparePassword }): [string, string][] => [
    [user, password],
    [spare, sparePassword],
  ]);
  // In the order of the users, so that a rotation changes lines and moves none.
  const sorted = new Map(passwords.sort(([one], [other]) => (one < other ? -1 : 1)));
  const processes = logins.reduce(
    (all, { caller, user, password }) =>
      replaced(all, caller, { STANZA_NATS_USER: user, STANZA_NATS_PASSWORD: password }),
    secrets,
  );
  return replaced(processes, 'nats', {
    'passwords.conf': natsPasswordsFile(sorted),
    ROTATION: rotation,
  });
};

const loginsIn = (secrets: ClusterSecrets): Login[] => natsUsers.map((caller) => loginIn(secrets, caller));

/** Whether a rotation has begun and is not finished. */
export const isRotating = (secrets: ClusterSecrets): boolean => valuesOf(secrets, 'nats').ROTATION === 'open';

/** Gives every process two users of NATS, of which it uses the first; without effect where it has them. */
export const withTwoUsers = (secrets: ClusterSecrets): ClusterSecrets =>
  withLogins(secrets, loginsIn(secrets), isRotating(secrets) ? 'open' : 'none');

/**
 * Moves every process to its other user, with a new password. The one that it had is accepted until the end of the rotation,
 * so that processes can be restarted one after the other. Without effect during a rotation.
 */
export const rotated = (secrets: ClusterSecrets): ClusterSecrets => {
  if (isRotating(secrets)) return secrets;
  const moved = loginsIn(secrets).map(({ caller, user, password, spare }) => ({
    caller,
    user: spare,
    password: newPassword(),
    spare: user,
    sparePassword: password,
  }));
  return withLogins(secrets, moved, 'open');
};

/** Ends a rotation: random passwords replace the previous ones. Has no effect outside a rotation. */
export const finished = (secrets: ClusterSecrets): ClusterSecrets => {
  if (!isRotating(secrets)) return secrets;
  const logins = loginsIn(secrets).map((login) => ({ ...login, sparePassword: newPassword() }));
  return withLogins(secrets, logins, 'none');
};
