import {
  addMember,
  bindIdentity,
  createKey,
  createOrganization,
  listOrganizations,
  revokeKey,
  setOrganizationActivation,
  setOrganizationStatus,
  setOrganizationTier,
  showOrganization,
} from '@stanza/contracts';
import { Command } from 'commander';
import { audit } from './audit.ts';
import { chatConnections } from './chat-connections.ts';
import { credits } from './credits.ts';
import { deadLetters } from './dead-letters.ts';
import { encryption } from './encryption.ts';
import { idempotency } from './idempotency.ts';
import { kubernetes } from './kubernetes.ts';
import { maintenance } from './maintenance.ts';
import { messages } from './messages.ts';
import { migrateFromHere } from './migrate.ts';
import { nats } from './nats.ts';
import { checked, printCall } from './operator.ts';
import { systemd } from './systemd.ts';

const organizations = (): Command => {
  const group = new Command('organization').description('organizations and their people');
  group
    .command('create')
    .description('create an organization, its owner and its credit account')
    .requiredOption('--name <name>')
    .requiredOption('--owner-email <address>')
    .option('--owner-first-name <name>')
    .option('--owner-last-name <name>')
    .option('--tier <tier>', 'free, pro or enterprise')
    .option('--credits <number>', "first grant; default: the tier's monthly credits", Number)
    .option('--existing', 'the address belongs to an existing user, who is to be the owner')
    .action((given) => {
      const { name, tier, credits, existing, ownerEmail, ownerFirstName, ownerLastName } = given;
      const owner = {
        owner_email: ownerEmail,
        owner_first_name: ownerFirstName,
        owner_last_name: ownerLastName,
      };
      const input = checked(createOrganization.input, { name, tier, credits, existing, ...owner });
      return printCall((rpc, context) => rpc.call(createOrganization, input, context));
    });
  group
    .command('list')
    .description('list organizations with their balances')
    .option('--limit <number>', '1 to 1000', Number)
    .option('--offset <number>', 'rows to skip', Number)
    .action((given) => {
      const input = checked(listOrganizations.input, given);
      return printCall((rpc, context) => rpc.call(listOrganizations, input, context));
    });
  group
    .command('show <organization-id>')
    .description('show an organization; of a deleted one, the progress of its erasure')
    .action((organization_id) => {
      const input = checked(showOrganization.input, { organization_id });
      return printCall((rpc, context) => rpc.call(showOrganization, input, context));
    });
  group
    .command('set-tier <organization-id> <tier>')
    .description('change the tier: free, pro or enterprise')
    .action((organization_id, tier) => {
      const input = checked(setOrganizationTier.input, { organization_id, tier });
      return printCall((rpc, context) => rpc.call(setOrganizationTier, input, context));
    });
  group
    .command('set-activation <organization-id> <policy>')
    .description('change who may make a version live: anyone, person or another_person')
    .action((organization_id, activation) => {
      const input = checked(setOrganizationActivation.input, { organization_id, activation });
      return printCall((rpc, context) => rpc.call(setOrganizationActivation, input, context));
    });
  for (const [verb, status] of [
    ['suspend', 'suspended'],
    ['reinstate', 'active'],
  ] as const) {
    group
      .command(`${verb} <organization-id>`)
      .description(`${verb} an organization`)
      .action((organization_id) => {
        const input = checked(setOrganizationStatus.input, { organization_id, status });
        return printCall((rpc, context) => rpc.call(setOrganizationStatus, input, context));
      });
  }
  return group;
};

const users = (): Command => {
  const group = new Command('users').description('users of an organization');
  group
    .command('add <organization-id>')
    .description('add a user without an invitation')
    .requiredOption('--email <address>')
    .requiredOption('--role <role>', 'viewer, member or admin; owner where the organization has none')
    .option('--first-name <name>')
    .option('--last-name <name>')
    .option('--existing', 'the address belongs to an existing user, who is to be added')
    .action((organization_id, { email, role, firstName, lastName, existing }) => {
      const person = { email, role, first_name: firstName, last_name: lastName, existing };
      const input = checked(addMember.input, { organization_id, ...person });
      return printCall((rpc, context) => rpc.call(addMember, input, context));
    });
  group
    .command('bind <email>')
    .description('let the sessions of a subject of the identity provider act as a user')
    .requiredOption('--issuer <issuer>', '`iss` of the session tokens')
    .requiredOption('--subject <subject>', '`sub` of the session tokens')
    .action((email, { issuer, subject }) => {
      const input = checked(bindIdentity.input, { email, issuer, subject });
      return printCall((rpc, context) => rpc.call(bindIdentity, input, context));
    });
  return group;
};

const keys = (): Command => {
  const group = new Command('keys').description('API keys');
  group
    .command('create <organization-id>')
    .description('create a key; it is shown once')
    .requiredOption('--name <name>')
    .option('--description <text>')
    .option('--user-id <id>', 'the user of the key; default: the owner')
    .option('--environment <environment>', 'production or preview')
    .option('--scopes <scopes...>', "default: all of the role's")
    .option('--expires-at <time>', 'like 2027-01-01T00:00:00Z')
    .option('--allow-address <ranges...>', 'CIDRs that may use it; default: any address')
    .action(
      (organization_id, { name, description, userId, environment, scopes, expiresAt, allowAddress }) => {
        const key = { name, description, user_id: userId, environment, scopes, expires_at: expiresAt };
        const input = checked(createKey.input, { organization_id, ...key, allowed_addresses: allowAddress });
        return printCall((rpc, context) => rpc.call(createKey, input, context));
      },
    );
  group
    .command('revoke <organization-id> <key-id>')
    .description('revoke a key; every gateway refuses it within a second')
    .option(
      '--descendants',
      'with all keys created by it, directly or through others, and the invitations of all',
    )
    .action((organization_id, key_id, { descendants }) => {
      const input = checked(revokeKey.input, { organization_id, key_id, descendants });
      return printCall((rpc, context) => rpc.call(revokeKey, input, context));
    });
  return group;
};

/** Every command of the operator. */
export const adminProgram = (): Command => {
  const program = new Command('npm run admin --').description("The operator's commands; answers are JSON.");
  const groups = [
    organizations(),
    users(),
    keys(),
    audit(),
    chatConnections(),
    credits(),
    idempotency(),
    deadLetters(),
    encryption(),
    maintenance(),
    messages(),
    kubernetes(),
    nats(),
    systemd(),
  ];
  for (const group of groups) program.addCommand(group);
  program
    .command('migrate')
    .description('bring every schema up to date')
    .option('--database <url>', 'with the role stanza_migrator; default: the running stack')
    .action(({ database }) => migrateFromHere(database));
  return program;
};

/** `npm run admin -- …`: the operator's commands; answers are JSON. */
export const runAdmin = async (words: string[]): Promise<void> => {
  await adminProgram().parseAsync(words, { from: 'user' });
};
