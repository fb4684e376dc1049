import type { PersonPage } from '@stanza/contracts';
import type { ChatInstallRow, ConnectionRow } from './connection-tables.ts';

/** The texts of an installation. */
export interface Connected {
  organization: string;
  environment: ChatInstallRow['environment'];
  workspace: string;
}

/** The page that asks whether to connect; nothing is connected before the button is pressed. */
export const askPage = (
  { organization, environment, workspace }: Connected,
  current: ConnectionRow | undefined,
  token: string,
): PersonPage => ({
  title: `Connect ${workspace} to ${organization}?`,
  text: [
    `Messages of the ${environment} environment of ${organization} will be posted in the workspace ${workspace}.`,
    ...(current ? [`This replaces its connection to the workspace ${current.workspace_name}.`] : []),
    `Continue only if you know ${organization} and want this. If you did not start it, close this page: nothing is connected then.`,
  ],
  action: { label: `Connect to ${organization}`, href: `confirm?token=${token}` },
});

/** The page after connecting. */
export const donePage = ({ organization, environment, workspace }: Connected): PersonPage => ({
  title: `${workspace} is connected`,
  text: [
    `Messages of the ${environment} environment of ${organization} are posted there from now on. You can close this page.`,
  ],
  action: null,
});

const declined = 'access_denied';

/** The name of an error. A link sets the address of the page, and could put a sentence of its own there. */
const nameOfError = /^[a-z][a-z_]{0,60}$/;

/** The page after the person has declined at the platform, or after the platform has refused with an error of its own. */
export const declinedPage = (organization: string, error = declined): PersonPage => {
  const named = nameOfError.test(error) ? `, with the error ${error}` : '';
  return {
    title: 'Nothing was connected',
    text: [
      error === declined
        ? `The chat platform was not allowed to connect a workspace to ${organization}. You can close this page.`
        : `The chat platform connected no workspace to ${organization}${named}. You can start again.`,
    ],
    action: null,
  };
};
