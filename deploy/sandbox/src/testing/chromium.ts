import { type Browser, chromium } from 'playwright-core';

/** Switches for a browser in a container: as root, headless, without telemetry. */
const switches = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts the Chromium that `STANZA_CHROMIUM` names; `npm test` finds one and sets it. */
export const launchChromium = async (): Promise<Browser> => {
  const executablePath = process.env.STANZA_CHROMIUM;
  if (!executablePath)
    throw new Error('STANZA_CHROMIUM is not set: run "npm test -- browser", or set it to a Chromium');
  return chromium.launch({ executablePath, args: switches });
};
