import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import {
  addMember,
  bindIdentity,
  createKey,
  createOrganization,
  type Environment,
  environments,
  putChatConnection,
  type Role,
  type TierName,
} from '@stanza/contracts';
import { connectRpc, newContext } from '@stanza/runtime';
import { z } from 'zod';
import { codeOf } from './failure.ts';
import { sandboxIdentity } from './identity.ts';
import { type DemoOrganization, demoOrganizationSchema } from './info.ts';

/** Address of the services for the operator. */
export interface OperatorAddress {
  url: string;
  user: string;
  password: string;
}

/** An organization of the demo. */
export interface Plan {
  name: string;
  tier: TierName;
  /** The part of its people's e-mail addresses after the @. */
  domain: string;
  /** Its workspace in the sandbox. */
  workspace: string;
}

/** The organizations of the demo, each with its people, keys, credits and chat connections. */
const plans: readonly Plan[] = [
  { name: 'Acme Rockets', tier: 'pro', domain: 'acme-rockets.example', workspace: 'acme' },
  { name: 'Beacon Books', tier: 'free', domain: 'beacon-books.example', workspace: 'beacon' },
];

const startCredits = 10_000;

const keptSchema = z.array(demoOrganizationSchema);

/** Calls one operation as the operator. */
type Operator = Awaited<ReturnType<typeof connectRpc>>['rpc'];

/** Options of {@link seedDemo}. */
export interface SeedOptions {
  /** An organization that was there before, and whose keys `file` lacks, is left as it is and left out. */
  once?: boolean;
  organizations?: readonly Plan[];
  /** Milliseconds for which NATS is dialled; once unless given. */
  patienceMs?: number;
}

/**
 * Creates missing demo organizations. Their keys are shown only at creation, so they are stored in `file`; an
 * organization whose keys were lost gets new ones.
 */
export const seedDemo = async (
  address: OperatorAddress,
  file: string,
  { once = false, organizations: wanted = plans, patienceMs = 0 }: SeedOptions = {},
): Promise<DemoOrganization[]> => {
  const kept = await readKept(file);
  const { rpc, close } = await connectRpc({ ...address, caller: 'admin', patienceMs });
  try {
    const made = await Promise.all(
      wanted.map((plan) => seedOne(rpc, plan, { kept, begun: once ? file : undefined })),
    );
    const organizations = made.filter((it) => it !== undefined);
    await writeFile(`${file}.new`, JSON.stringify(organizations, null, 2), { mode: 0o600 });
    await rename(`${file}.new`, file);
    return organizations;
  } finally {
    await close();
  }
};

const context = () => newContext({ deadlineMs: 15_000 });

/** Whether this run or an earlier one with this file created it: services may become ready one after the other. */
const isOwn = async (file: string, organizationId: string, created: boolean): Promise<boolean> => {
  const mark = `${file}.${organizationId}`;
  if (created) await writeFile(mark, '');
  return existsSync(mark);
};

const seedOne = async (
  rpc: Operator,
  plan: Plan,
  { kept, begun }: { kept: readonly DemoOrganization[]; begun: string | undefined },
): Promise<DemoOrganization | undefined> => {
  const email = `olivia@${plan.domain}`;
  const owner = {
    owner_email: email,
    owner_first_name: 'Olivia',
    owner_last_name: 'Owner',
  };
  const { organization_id, created } = await rpc.call(
    createOrganization,
    { name: plan.name, tier: plan.tier, credits: startCredits, ...owner },
    context(),
  );
  const known = kept.find((it) => it.id === organization_id);
  if (known !== undefined) return known;
  if (begun !== undefined && !(await isOwn(begun, organization_id, created))) return undefined;
  await Promise.all(
    environments.map((environment) =>
      rpc.call(
        putChatConnection,
        { organization_id, environment, bot_token: `xoxb-sandbox-${plan.workspace}` },
        context(),
      ),
    ),
  );
  await bindSubject(rpc, email);
  return { id: organization_id, name: plan.name, keys: await seedKeys(rpc, organization_id, plan.domain) };
};

/** People of the demo sign in by their address, which is their subject at the sandbox's identity provider. */
const bindSubject = (rpc: Operator, email: string) =>
  rpc.call(bindIdentity, { email, issuer: sandboxIdentity.issuer, subject: email }, context());

const seedKeys = async (rpc: Operator, organization_id: string, domain: string) => {
  const member = async (role: Role, first_name: string): Promise<string> => {
    const email = `${first_name.toLowerCase()}@${domain}`;
    const person = { organization_id, email, first_name, last_name: role, role };
    const { user_id } = await rpc.call(addMember, person, context());
    await bindSubject(rpc, email);
    return user_id;
  };
  const key = async (name: string, more: { user_id?: string; environment?: Environment; scopes?: [] }) =>
    (await rpc.call(createKey, { organization_id, name, environment: 'production', ...more }, context())).key;
  const [admin, regular, viewer] = await Promise.all([
    member('admin', 'Adam'),
    member('member', 'Mia'),
    member('viewer', 'Vera'),
  ]);
  return {
    owner: await key('Demo owner', {}),
    admin: await key('Demo admin', { user_id: admin }),
    member: await key('Demo member', { user_id: regular }),
    viewer: await key('Demo viewer', { user_id: viewer }),
    preview: await key('Demo preview', { user_id: admin, environment: 'preview' }),
    unscoped: await key('Demo without scopes', { scopes: [] }),
  };
};

const readKept = async (file: string): Promise<DemoOrganization[]> => {
  try {
    const parsed = keptSchema.safeParse(JSON.parse(await readFile(file, 'utf8')));
    return parsed.success ? parsed.data : [];
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return [];
    throw error;
  }
};
