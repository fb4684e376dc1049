import type { PersonPage } from '@stanza/contracts';
import type { ChatInstallRow, ConnectionRow } from '../store/rows.ts';

/** What an installation would connect, in words. */
export interface Connected {
  organization: string;
  environment: ChatInstallRow['environment'];
  workspace: string;
}

/** Asks whether to connect; nothing is before the button is pressed. */
export const askPage = (
  { organization, environment, workspace }: Connected,
  current: ConnectionRow | undefined,
  token: string,
): PersonPage => ({
  title: `Connect ${workspace} to ${organization}?`,
  text: [
    `Messages of the ${environment} environment of ${organization} will be posted in the workspace ${workspace}.`,
    ...(current ? [`This replaces its connection to the workspace ${current.workspace_name}.`] : []),
    `Do this only if you know ${organization} and want it. If you did not begin it, close this page: nothing is connected then.`,
  ],
  action: { label: `Connect to ${organization}`, href: `confirm?token=${token}` },
});

/** Says that it is done. */
export const donePage = ({ organization, environment, workspace }: Connected): PersonPage => ({
  title: `${workspace} is connected`,
  text: [
    `Messages of the ${environment} environment of ${organization} are posted there from now on. You can close this page.`,
  ],
  action: null,
});

/** Says that the person has declined at the platform. */
export const declinedPage = (organization: string): PersonPage => ({
  title: 'Nothing was connected',
  text: [
    `The chat platform was not allowed to connect a workspace to ${organization}. You can close this page.`,
  ],
  action: null,
});
