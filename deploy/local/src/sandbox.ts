import { sandboxApp } from './chat.ts';
import { inheritedEnvironment } from './environment.ts';
import { sandboxIdentity } from './identity.ts';
import { loopback } from './ports.ts';
import { projectRoot } from './project.ts';
import { answersOk } from './services.ts';
import { entryArguments, type FromSources, sourceStopTimeoutMs } from './sources.ts';
import { type ProcessEvents, SupervisedProcess } from './supervised-process.ts';
import { startPatienceMs } from './wait.ts';

/** The stand-in of the chat platform as a process, not yet started. */
export const sandboxProcess = (options: {
  port: number;
  logFile: string;
  events: ProcessEvents;
  /** Address of the app for interactions, and the secret that signs them. */
  app: { url: string; signingSecret: string };
  /** The secret of a request for a session token. */
  identitySecret: string;
  /** Given when it runs from its sources. */
  sources?: FromSources | undefined;
}): { process: SupervisedProcess; url: string } => {
  const url = `http://${loopback}:${options.port}`;
  const supervised = new SupervisedProcess(
    {
      name: 'sandbox',
      command: process.execPath,
      args: entryArguments('deploy/sandbox', 'sandbox', options.sources),
      env: {
        ...inheritedEnvironment(),
        STANZA_SANDBOX_PORT: String(options.port),
        STANZA_SANDBOX_HOST: loopback,
        STANZA_SANDBOX_ISSUER: sandboxIdentity.issuer,
        STANZA_SANDBOX_AUDIENCE: sandboxIdentity.audience,
        STANZA_SANDBOX_IDENTITY_SECRET: options.identitySecret,
        STANZA_SANDBOX_CLIENT_ID: sandboxApp.clientId,
        STANZA_SANDBOX_CLIENT_SECRET: sandboxApp.clientSecret,
        STANZA_SANDBOX_INTERACTIONS_URL: options.app.url,
        STANZA_CHAT_SIGNING_SECRET: options.app.signingSecret,
      },
      cwd: projectRoot,
      logFile: options.logFile,
      isReady: () => answersOk(`${url}/control/faults`),
      stopSignal: 'SIGTERM',
      orphanSignal: 'SIGKILL',
      stopTimeoutMs: options.sources ? sourceStopTimeoutMs : 5_000,
      readyTimeoutMs: startPatienceMs,
      staysDown: options.sources !== undefined,
    },
    options.events,
  );
  return { process: supervised, url };
};
